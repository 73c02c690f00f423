# mount a file system
# held by: seccomp
import errno
from attack import useless
useless(errno.ENODEV, "mount", b"none", b"/tmp", b"no-such-file-system", 0, None)
