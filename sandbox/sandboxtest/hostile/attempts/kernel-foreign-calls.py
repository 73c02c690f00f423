# enter the kernel by the door for 32-bit programs, past the filter's numbers
# held by: seccomp
import ctypes, mmap, platform
if platform.machine() != "x86_64":
    raise SystemExit("this machine has no such door")
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # mov eax, 20 (getpid there); int 0x80; ret
result = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
if result < 0:
    raise OSError(-result, "the door is shut")
