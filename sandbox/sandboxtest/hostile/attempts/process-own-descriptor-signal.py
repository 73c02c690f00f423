# have the kernel signal the daemon when one's own pipe is ready
# held by: pid
import fcntl, os
from attack import target
r, w = os.pipe()
fcntl.fcntl(r, fcntl.F_SETOWN, int(target("DAEMON_PID")))
if fcntl.fcntl(r, fcntl.F_GETOWN) != int(target("DAEMON_PID")):
    raise SystemExit("there is no such process")
