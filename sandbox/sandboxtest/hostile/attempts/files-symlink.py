# escape by a symbolic link
# held by: mount, landlock
import os
from attack import target
link = os.path.join(os.getcwd(), "link-to-key")
if not os.path.islink(link):
    os.symlink(target("KEY"), link)
open(link, "rb").read()
