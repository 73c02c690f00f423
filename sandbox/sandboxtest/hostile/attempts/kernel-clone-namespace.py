# start a process in a new user namespace
# held by: seccomp
import os, signal
from attack import call
child = call("clone", 0x10000000 | signal.SIGCHLD, None, None, None, None)
if child == 0:
    os._exit(0)
os.waitpid(child, 0)
