# use one of the rarer parts of the network
# held by: seccomp
# control: none, which of them a kernel has differs
import socket
opened = []
for family in range(3, 46):
    if family in (socket.AF_INET6, socket.AF_NETLINK):
        continue
    for kind in (1, 2, 3, 5):
        try:
            socket.socket(family, kind, 0).close()
            opened.append(family)
        except OSError:
            pass
if not opened:
    raise SystemExit("none of them can be had")
