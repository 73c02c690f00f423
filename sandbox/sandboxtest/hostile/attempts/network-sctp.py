# connect by a protocol that is neither TCP nor UDP
# held by: seccomp
# control: none, a kernel may not have it
import socket
socket.socket(socket.AF_INET, socket.SOCK_STREAM, 132).close()
