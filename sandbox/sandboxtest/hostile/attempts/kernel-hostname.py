# rename the host
# held by: seccomp
import socket
socket.sethostname(socket.gethostname())
