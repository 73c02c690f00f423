# remove a kernel module
# held by: seccomp
import errno, os
from attack import useless
useless(errno.ENOENT, "delete_module", b"majordomo_no_such_module", os.O_NONBLOCK)
