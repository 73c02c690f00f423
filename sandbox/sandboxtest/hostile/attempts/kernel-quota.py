# ask for the disk quota of root
# held by: seccomp
import ctypes, errno
from attack import useless
useless(errno.ENOENT, "quotactl", 0x80000700, b"/no-such-device", 0, ctypes.create_string_buffer(128))
