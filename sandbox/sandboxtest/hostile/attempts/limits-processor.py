# use more than one processor
# held by: cpu
import os, time
if len(os.sched_getaffinity(0)) < 2:
    raise SystemExit("this host has only one")
begun = time.monotonic()
children = []
for _ in range(2):
    child = os.fork()
    if child == 0:
        while time.monotonic() < begun + 3:
            pass
        os._exit(0)
    children.append(child)
used = sum(os.wait4(child, 0)[2].ru_utime for child in children)
if used < 1.25 * (time.monotonic() - begun):
    raise SystemExit(f"it had {used:.1f} s of processor time in {time.monotonic() - begun:.1f} s")
