# use a service on the host's loopback, by another of its addresses
# held by: net, egress
import socket
from attack import target
assert socket.create_connection(("127.255.255.254", int(target("PORT"))), 5).recv(5) == b"hello"
