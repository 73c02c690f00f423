# send datagrams past the daemon
# held by: net, egress
import socket
from attack import target
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.settimeout(2)
s.sendto(b"x", (target("ADDRESS"), int(target("PORT"))))
assert s.recv(5) == b"hello"
