# use a service on the host's loopback, written in octal
# held by: net, egress
import socket
from attack import target
assert socket.create_connection(("0177.0.0.1", int(target("PORT"))), 5).recv(5) == b"hello"
