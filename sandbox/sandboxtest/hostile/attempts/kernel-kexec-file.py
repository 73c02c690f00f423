# boot another kernel from a file
# held by: seccomp
import errno
from attack import useless
useless(errno.EINVAL, "kexec_file_load", -1, -1, 0, None, 0xFFFF)
