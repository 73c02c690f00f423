# load a kernel module
# held by: seccomp
import errno
from attack import useless
useless(errno.ENOEXEC, "init_module", bytes(64), 64, b"")
