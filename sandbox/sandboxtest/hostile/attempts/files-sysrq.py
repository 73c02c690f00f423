# open the emergency keys of the machine
# held by: mount, landlock
import os
os.close(os.open("/proc/sysrq-trigger", os.O_WRONLY))
