# boot another kernel
# held by: seccomp
import errno
from attack import useless
useless(errno.EINVAL, "kexec_load", 0, 0, None, 0xFFFF)
