# ask the daemon's agent endpoint
# held by: net, egress
import socket
from attack import target
host, port = target("LISTEN").rsplit(":", 1)
s = socket.create_connection((host, int(port)), 5)
s.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
assert s.recv(5) == b"HTTP/"
