# type into a terminal, by an argument whose upper half a filter may overlook
# held by: seccomp
import errno
from attack import useless
useless(errno.ENOTTY, "ioctl", 0, 0x5412 | 1 << 32, b"x")
