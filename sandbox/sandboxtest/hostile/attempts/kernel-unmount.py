# take away what covers the secrets of /proc
# held by: seccomp
import errno
from attack import useless
useless(errno.EINVAL, "umount2", b"/proc/version", 0)
