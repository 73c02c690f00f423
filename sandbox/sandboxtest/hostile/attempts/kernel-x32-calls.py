# make a call by the number that x32 programs know it by
# held by: seccomp
# control: none, most kernels have no such programs
import platform
from attack import libc
import ctypes
if platform.machine() != "x86_64" or libc.syscall(ctypes.c_long(0x40000000 | 39)) < 0:
    raise SystemExit("the kernel knows no such number")
