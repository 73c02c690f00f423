# ask a name server of one's own choice
# held by: net, egress
# control: none, a test asks nobody
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.settimeout(2)
s.sendto(b"\0\1\1\0\0\1\0\0\0\0\0\0\7example\3com\0\0\1\0\1", ("9.9.9.9", 53))
s.recv(1)
