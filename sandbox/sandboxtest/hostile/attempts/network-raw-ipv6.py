# make IPv6 packets by hand
# held by: caps, seccomp
import socket
socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_TCP).close()
