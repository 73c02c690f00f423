# load a module of the kernel that runs
# held by: seccomp
import os
from attack import call
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "module.ko"), "rb") as file:
    module = file.read()
call("init_module", module, len(module), b"")
