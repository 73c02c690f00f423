# give a file of one's own to root
# held by: caps
import os
open("gift", "w").close()
try:
    os.chown("gift", 0, 0)
    if open("/proc/self/uid_map").read().split()[1] != "0":
        raise SystemExit("root of nothing")
finally:
    os.remove("gift")
