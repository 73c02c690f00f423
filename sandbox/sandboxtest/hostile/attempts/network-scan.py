# find open ports of the host
# held by: net, egress
import socket
from attack import target
port = int(target("PORT"))
for candidate in range(port - 3, port + 4):
    s = socket.socket()
    s.settimeout(1)
    if s.connect_ex((target("ADDRESS"), candidate)) == 0 and s.recv(5) == b"hello":
        break
else:
    raise SystemExit("nobody answers")
