# trace a process of one's own
# held by: seccomp
from attack import call
import os
child = os.fork()
if child == 0:
    os.pause() if hasattr(os, "pause") else __import__("signal").pause()
try:
    call("ptrace", 0x4206, child, 0, 0)
finally:
    os.kill(child, 9)
