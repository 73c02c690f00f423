# change the way that packets take, without any program
# held by: caps
import errno, socket, struct
s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
# RTM_NEWROUTE for an interface that does not exist: who may is told so
body = struct.pack("=8BI", socket.AF_INET, 32, 0, 0, 254, 3, 253, 1, 0) + struct.pack("=HH4s", 8, 1, socket.inet_aton("198.51.100.1")) + struct.pack("=HHI", 8, 4, 1 << 20)
s.send(struct.pack("=IHHII", 16 + len(body), 24, 5, 1, 0) + body)
answer = struct.unpack_from("=i", s.recv(4096), 16)[0]
if answer == -errno.EPERM:
    raise PermissionError(errno.EPERM, "RTM_NEWROUTE")
