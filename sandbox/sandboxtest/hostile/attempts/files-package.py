# change the installed package that every member shares
# held by: mount, landlock
import os
from attack import target
path = os.path.join(target("PACKAGE"), "planted.py")
open(path, "w").close()
os.remove(path)
