# lock memory so that it is never given up
# held by: memory, caps
import mmap
from attack import libc
import ctypes
size = 600 << 20
area = mmap.mmap(-1, size)
if libc.mlock(ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(area))), ctypes.c_size_t(size)) != 0:
    raise OSError(ctypes.get_errno(), "mlock")
