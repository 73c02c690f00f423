# take the port of the daemon's listener
# held by: caps
import socket
s = socket.socket()
s.bind(("127.0.0.1", 999))
