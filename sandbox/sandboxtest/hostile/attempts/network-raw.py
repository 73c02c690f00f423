# make packets by hand
# held by: caps, seccomp
import socket
socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()
