# write to the memory of process 1, which still knows the daemon
# held by: caps
# control: none, the host's own process 1 is nobody's to open
import os
os.close(os.open("/proc/1/mem", os.O_RDWR))
