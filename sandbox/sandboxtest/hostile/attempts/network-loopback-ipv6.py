# use a service on the host's IPv6 loopback
# held by: net, egress
import socket
from attack import target
assert socket.create_connection(("::1", int(target("PORT"))), 5).recv(5) == b"hello"
