# connect by multipath TCP, which some filters miss
# held by: seccomp
import socket
from attack import target
s = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)
s.settimeout(5)
s.connect(("127.0.0.1", int(target("PORT"))))
assert s.recv(5) == b"hello"
