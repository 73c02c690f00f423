# plant a module where every Python of the host looks
# held by: mount, landlock
import os, sysconfig
path = os.path.join(sysconfig.get_paths()["stdlib"], "majordomo_attempt.pth")
open(path, "w").close()
os.remove(path)
