# mark packets, so that the host's rules let them pass
# held by: caps
import socket
socket.socket().setsockopt(socket.SOL_SOCKET, 36, 1)
