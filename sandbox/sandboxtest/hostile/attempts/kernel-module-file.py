# load a kernel module from a file
# held by: seccomp
import errno, os
from attack import useless
useless(errno.ENOEXEC, "finit_module", os.open(__file__, os.O_RDONLY), b"", 0)
