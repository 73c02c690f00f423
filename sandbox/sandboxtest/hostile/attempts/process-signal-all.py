# signal every process that is in sight, and find the daemon among them
# held by: pid, landlock, uid
import os
from attack import target
for pid in range(1, 40000):
    try:
        os.kill(pid, 0)
    except OSError:
        continue
    if pid == int(target("DAEMON_PID")):
        break
else:
    raise SystemExit("none of them is the daemon")
