# have the network carry packets by a way of one's own choice
# held by: caps, net, egress
# control: none, hosts drop such packets
import socket
from attack import target
s = socket.socket()
s.settimeout(5)
s.setsockopt(socket.IPPROTO_IP, socket.IP_OPTIONS, b"\x83\x07\x04" + socket.inet_aton(target("ADDRESS")) + b"\0")
s.connect((target("ADDRESS"), int(target("PORT"))))
assert s.recv(5) == b"hello"
