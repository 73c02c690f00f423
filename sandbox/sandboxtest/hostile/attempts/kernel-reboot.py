# reboot the machine
# held by: seccomp
import errno
from attack import useless
useless(errno.EINVAL, "reboot", 1, 2, 3, None)
