# connect and send in one call, which some filters miss
# held by: seccomp
import socket
from attack import target
s = socket.socket()
s.sendto(b"x", socket.MSG_FASTOPEN, ("127.0.0.1", int(target("PORT"))))
assert s.recv(5) == b"hello"
