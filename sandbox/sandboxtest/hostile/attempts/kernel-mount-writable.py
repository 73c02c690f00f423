# make what is mounted read-only writable
# held by: seccomp
import ctypes, errno, struct
from attack import useless
useless(errno.EINVAL, "mount_setattr", -100, b"/no-such-place", 0x7FFFFFFF, ctypes.create_string_buffer(struct.pack("4Q", 0, 1, 0, 0), 32), 32)
