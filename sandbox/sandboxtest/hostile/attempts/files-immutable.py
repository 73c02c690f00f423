# keep a file from ever being removed
# held by: seccomp, caps
import array, fcntl, os
GET, SET, NODUMP, IMMUTABLE = 0x80086601, 0x40086602, 0x40, 0x10
fd = os.open("kept", os.O_CREAT | os.O_RDWR)
try:
    flags = array.array("i", [0])
    fcntl.ioctl(fd, GET, flags)
    fcntl.ioctl(fd, SET, array.array("i", [flags[0] | IMMUTABLE]))
    fcntl.ioctl(fd, SET, flags)
finally:
    os.remove("kept")
