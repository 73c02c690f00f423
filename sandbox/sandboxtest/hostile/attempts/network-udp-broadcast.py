# call out to everybody in the neighbourhood
# held by: net, egress
# control: none, a test calls nobody
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
s.settimeout(1)
s.sendto(b"x", ("255.255.255.255", 9))
s.recv(1)
