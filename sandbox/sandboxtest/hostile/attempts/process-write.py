# write to the memory of another connector
# held by: seccomp
import ctypes, errno
from attack import target, useless
useless(errno.EFAULT, "process_vm_writev", int(target("SIBLING_PID")), ctypes.c_void_p(8), 1, ctypes.c_void_p(8), 1, 0)
