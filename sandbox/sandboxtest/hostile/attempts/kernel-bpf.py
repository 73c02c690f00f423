# load a program into the kernel
# held by: seccomp
import ctypes, os, struct
from attack import call
os.close(call("bpf", 0, ctypes.create_string_buffer(struct.pack("IIIII", 2, 4, 4, 1, 0), 72), 72))
