# use a service on the host's loopback, written in hexadecimal
# held by: net, egress
import socket
from attack import target
assert socket.create_connection(("0x7f.1", int(target("PORT"))), 5).recv(5) == b"hello"
