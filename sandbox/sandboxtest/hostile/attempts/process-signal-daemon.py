# signal the daemon
# held by: pid, landlock, uid
import os
from attack import target
os.kill(int(target("DAEMON_PID")), 0)
