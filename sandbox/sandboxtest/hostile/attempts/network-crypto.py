# use the kernel's ciphers, a part with a history of holes
# held by: seccomp
import socket
socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET).close()
