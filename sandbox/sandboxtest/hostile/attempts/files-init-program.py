# overwrite the program of process 1 while it runs
# held by: mount
# control: none, the host's own process 1 is nobody's to open
import os
os.close(os.open("/proc/1/exe", os.O_RDWR))
