# find an open descriptor that leads outside
# held by: fds
# control: none, a test has no such descriptor
import os
from attack import target
for fd in os.listdir("/proc/self/fd"):
    try:
        where = os.readlink("/proc/self/fd/" + fd)
    except FileNotFoundError:
        continue  # the listing's own
    if where.startswith(target("STATE")):
        break
else:
    raise SystemExit("every descriptor is a pipe of one's own")
