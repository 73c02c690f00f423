# listen to the wire
# held by: seccomp
import socket
socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0).close()
