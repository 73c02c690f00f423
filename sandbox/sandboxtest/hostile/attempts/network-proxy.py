# have a web server of the host connect on
# held by: net, egress
import socket
from attack import target
s = socket.create_connection((target("ADDRESS"), int(target("PORT"))), 5)
s.sendall(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\n\r\n" % int(target("PORT")))
assert s.recv(5)
