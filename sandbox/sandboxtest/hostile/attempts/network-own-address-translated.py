# use a service of the host by its own address, as a translator writes it
# held by: net, egress
# control: none, a host need not have a translator
import ipaddress, socket
from attack import target
address = ipaddress.IPv6Address(int(ipaddress.IPv6Address("64:ff9b::")) | int(ipaddress.IPv4Address(target("ADDRESS"))))
assert socket.create_connection((str(address), int(target("PORT"))), 5).recv(5) == b"hello"
