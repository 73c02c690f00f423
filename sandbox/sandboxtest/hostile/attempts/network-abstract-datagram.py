# send to an abstract socket of the host without connecting
# held by: net, landlock
# control: none, the host's listens for connections
import socket
from attack import target
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.sendto(b"x", "\0" + target("ABSTRACT"))
