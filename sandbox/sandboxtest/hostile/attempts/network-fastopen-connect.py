# connect and send in one call, by an option
# held by: net, egress
import socket
from attack import target
s = socket.socket()
s.settimeout(5)
s.setsockopt(socket.IPPROTO_TCP, 30, 1)
s.connect(("127.0.0.1", int(target("PORT"))))
s.send(b"x")
assert s.recv(5) == b"hello"
