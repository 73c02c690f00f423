# speak QUIC, which is no TCP, to a public address
# held by: net, egress
# control: none, a test calls nobody
import os, socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.settimeout(2)
s.sendto(b"\xc0\x1a\x1a\x1a\x1a\x08" + os.urandom(8) + b"\0" + bytes(1185), ("1.1.1.1", 443))
s.recv(1)
