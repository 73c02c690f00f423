# use a service on the host's loopback, written short
# held by: net, egress
import socket
from attack import target
assert socket.create_connection(("127.1", int(target("PORT"))), 5).recv(5) == b"hello"
