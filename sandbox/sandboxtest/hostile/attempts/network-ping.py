# find machines of the house by echo requests
# held by: seccomp
# control: none, most hosts keep them from everybody
import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP).close()
