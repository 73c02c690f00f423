# load another kernel, of one page
# held by: seccomp
import ctypes
from attack import call


class Segment(ctypes.Structure):
    _fields_ = [("buf", ctypes.c_void_p), ("bufsz", ctypes.c_size_t), ("mem", ctypes.c_void_p), ("memsz", ctypes.c_size_t)]


halt = ctypes.create_string_buffer(b"\xfa\xf4\xeb\xfd", 4096)
segment = Segment(ctypes.addressof(halt), 4096, 0x1000000, 4096)
call("kexec_load", 0x1000000, 1, ctypes.byref(segment), 0)
