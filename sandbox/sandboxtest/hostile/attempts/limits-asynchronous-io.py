# use up the places for asynchronous reads that the whole machine has
# held by: seccomp
import ctypes
from attack import call
context = ctypes.c_ulong(0)
call("io_setup", 1000, ctypes.byref(context))
call("io_destroy", context)
