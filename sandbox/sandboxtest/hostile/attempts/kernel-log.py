# read the kernel's log
# held by: seccomp
import ctypes
from attack import call
call("syslog", 3, ctypes.create_string_buffer(64), 64)
