# make another directory the root of everything
# held by: seccomp
import errno
from attack import useless
useless(errno.ENOENT, "pivot_root", b"/no-such-place", b"/no-such-place")
