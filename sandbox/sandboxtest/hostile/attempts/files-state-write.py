# plant a file in the daemon's state
# held by: mount, landlock
import os
from attack import target
path = os.path.join(target("STATE"), "planted")
open(path, "w").close()
os.remove(path)
