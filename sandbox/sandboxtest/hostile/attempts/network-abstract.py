# connect to an abstract socket of the host
# held by: net, landlock
import socket
from attack import target
socket.socket(socket.AF_UNIX).connect("\0" + target("ABSTRACT"))
