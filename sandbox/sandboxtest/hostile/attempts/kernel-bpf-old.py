# have the kernel run a filter of one's own over a raw packet
# held by: seccomp
import socket
socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, 0).close()
