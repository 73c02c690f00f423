# use a service on the host's loopback, written as one number
# held by: net, egress
import socket
from attack import target
assert socket.create_connection(("2130706433", int(target("PORT"))), 5).recv(5) == b"hello"
