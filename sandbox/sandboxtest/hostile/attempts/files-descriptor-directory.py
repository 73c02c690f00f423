# climb out from a directory that is held open
# held by: mount, landlock
import os
from attack import target
at = os.open("/", os.O_PATH)
for _ in range(60):
    at = os.open("..", os.O_PATH, dir_fd=at)
os.close(os.open(target("KEY")[1:], os.O_RDONLY, dir_fd=at))
