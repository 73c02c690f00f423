# fill the memory by segments that outlive who made them
# held by: memory
import ctypes
from attack import libc
libc.shmat.restype = ctypes.c_void_p
total, size = 1 << 30, 64 << 20
segments = []
try:
    for _ in range(total // size):
        segment = libc.shmget(0, ctypes.c_size_t(size), 0o600)
        if segment < 0:
            raise OSError(ctypes.get_errno(), "shmget")
        segments.append(segment)
        at = libc.shmat(segment, None, 0)
        ctypes.memset(at, 1, size)
finally:
    for segment in segments:
        libc.shmctl(segment, 0, None)
