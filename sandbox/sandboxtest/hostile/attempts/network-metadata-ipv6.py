# ask the cloud's metadata service over IPv6
# held by: net, egress
# control: none, what is there on this host is not for a test to ask
import socket
s = socket.create_connection(("fd00:ec2::254", 80), 5)
s.sendall(b"GET / HTTP/1.0\r\n\r\n")
assert s.recv(1)
