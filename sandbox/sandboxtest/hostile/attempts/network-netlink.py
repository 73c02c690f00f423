# listen to what the kernel tells of the machine
# held by: seccomp
# control: none, what of it a kernel has differs
import socket
opened = []
for protocol in range(1, 23):
    try:
        socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, protocol).close()
        opened.append(protocol)
    except OSError:
        pass
if not opened:
    raise SystemExit("none of it can be had")
