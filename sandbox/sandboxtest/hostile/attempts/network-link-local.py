# use the neighbourhood by a link-local address with its interface
# held by: net, egress
# control: none, who is there on this host is not for a test to ask
import socket
s = socket.socket(socket.AF_INET6)
s.settimeout(5)
s.connect(("fe80::1", 80, 0, 1))
s.sendall(b"GET / HTTP/1.0\r\n\r\n")
assert s.recv(1)
