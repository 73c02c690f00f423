# take precedence over everything else
# held by: caps
import os
os.setpriority(os.PRIO_PROCESS, 0, -5)
