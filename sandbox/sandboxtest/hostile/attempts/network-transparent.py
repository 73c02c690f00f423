# speak as if one were another machine
# held by: caps
import socket
socket.socket().setsockopt(socket.IPPROTO_IP, 19, 1)
