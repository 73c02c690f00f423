# open a setting of the kernel for writing
# held by: mount, landlock
import os
os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY))
