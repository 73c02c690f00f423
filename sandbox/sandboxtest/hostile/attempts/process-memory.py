# read the daemon's memory
# held by: pid
from attack import target
open("/proc/" + target("DAEMON_PID") + "/mem", "rb").close()
