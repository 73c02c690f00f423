# send by an interface of one's choice
# held by: net
import socket
names = [name for _, name in socket.if_nameindex() if name != "lo"]
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, (names or ["eth0"])[0].encode())
