# talk to the machine below this one
# held by: seccomp
import socket
socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM).close()
