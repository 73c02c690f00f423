# become root
# held by: caps
import os
os.setuid(0)
if os.geteuid() != 0 or open("/proc/self/uid_map").read().split()[1] != "0":
    raise SystemExit("root of nothing")
