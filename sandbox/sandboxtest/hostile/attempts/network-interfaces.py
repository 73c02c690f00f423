# see the host's network interfaces
# held by: net
import socket
outside = [name for _, name in socket.if_nameindex() if name != "lo"]
if not outside:
    raise SystemExit("there is nothing but loopback")
