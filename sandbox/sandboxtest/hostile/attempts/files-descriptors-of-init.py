# reach the control socket of process 1
# held by: caps
# control: none, the host's own process 1 is root's
import os
os.listdir("/proc/1/fd")
