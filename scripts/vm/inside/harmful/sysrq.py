# have the machine start anew by its emergency keys
# held by: mount, landlock
import time
with open("/proc/sysrq-trigger", "w") as keys:
    keys.write("b")
time.sleep(1)
raise SystemExit("it took the key, and the machine goes on")
