# use a service of the host by the host's own name
# held by: net, egress
import socket
from attack import target
assert socket.create_connection((target("HOSTNAME"), int(target("PORT"))), 5).recv(5) == b"hello"
