# find the daemon among the processes
# held by: pid
import glob
from attack import target
for path in glob.glob("/proc/[0-9]*/cmdline"):
    try:
        if b"\0serve\0" in open(path, "rb").read():
            break
    except OSError:
        continue
else:
    raise SystemExit("there are only one's own processes")
