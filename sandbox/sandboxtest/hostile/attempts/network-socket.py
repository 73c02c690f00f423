# connect to the daemon's control socket
# held by: mount, landlock
import socket
from attack import target
socket.socket(socket.AF_UNIX).connect(target("SOCKET"))
