# use a service on the host's loopback by the address zero
# held by: net, egress
import socket
from attack import target
assert socket.create_connection(("0.0.0.0", int(target("PORT"))), 5).recv(5) == b"hello"
