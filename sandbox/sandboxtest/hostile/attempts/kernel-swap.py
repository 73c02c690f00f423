# swap to a file of one's own
# held by: seccomp
import errno
from attack import useless
useless(errno.ENOENT, "swapon", b"/nowhere", 0)
