# give an open file of the host a second name
# held by: mount, landlock
import ctypes, os
from attack import libc, target
AT_FDCWD, AT_SYMLINK_FOLLOW = -100, 0x400
fd = os.open(target("HOST_FILE"), os.O_RDONLY)
link = os.path.dirname(target("HOST_FILE")) + "/second-name"
if libc.linkat(AT_FDCWD, b"/proc/self/fd/%d" % fd, AT_FDCWD, link.encode(), AT_SYMLINK_FOLLOW) != 0:
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
os.remove(link)
