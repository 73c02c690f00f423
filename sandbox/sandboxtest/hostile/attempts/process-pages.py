# move the memory of another connector
# held by: seccomp
import errno
from attack import target, useless
useless(errno.ESRCH, "move_pages", 1 << 22, 0, None, None, None, 0)
