# have every process of the machine written down
# held by: seccomp
import errno
from attack import useless
useless(errno.ENOENT, "acct", b"/no-such-place/file")
