# see the connections of the host
# held by: net
from attack import target
port = f":{int(target('PORT')):04X} "
if port not in open("/proc/net/tcp").read() + open("/proc/net/tcp6").read():
    raise SystemExit("the host's port is not there")
