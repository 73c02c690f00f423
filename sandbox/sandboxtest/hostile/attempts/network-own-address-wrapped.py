# use a service of the host by its own address, wrapped in IPv6
# held by: net, egress
import socket
from attack import target
assert socket.create_connection(("::ffff:" + target("ADDRESS"), int(target("PORT"))), 5).recv(5) == b"hello"
