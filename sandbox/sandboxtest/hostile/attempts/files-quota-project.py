# move one's files to another's disk quota
# held by: seccomp
import fcntl, os
GET, SET = 0x801C581F, 0x401C5820
fd = os.open("counted", os.O_CREAT | os.O_RDWR)
try:
    was = fcntl.ioctl(fd, GET, bytes(28))
    fcntl.ioctl(fd, SET, was)
finally:
    os.remove("counted")
