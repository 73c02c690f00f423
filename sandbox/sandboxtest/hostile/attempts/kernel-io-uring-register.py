# prepare a ring past the filter of system calls
# held by: seccomp
import errno
from attack import useless
useless(errno.EINVAL, "io_uring_register", -1, 0, None, 0)
