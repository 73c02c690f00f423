# run before everything else
# held by: caps
# control: none, a control would do it
import os
os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
