# write into the machine's record of what happened
# held by: seccomp
import socket
socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 9).close()
