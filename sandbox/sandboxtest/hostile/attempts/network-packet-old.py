# listen to the wire in the old way
# held by: caps, seccomp
import socket
socket.socket(socket.AF_INET, 10, 0x0300).close()
