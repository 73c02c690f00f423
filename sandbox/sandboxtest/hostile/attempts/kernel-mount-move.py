# move what is mounted to another place
# held by: seccomp
import errno
from attack import useless
useless(errno.EINVAL, "move_mount", -100, b"/", -100, b"/", 0x7FFFFFFF)
