# paste into a virtual console
# held by: seccomp
import errno
from attack import useless
useless(errno.ENOTTY, "ioctl", 0, 0x541C, b"\x03")
