# take a private copy of what is mounted
# held by: seccomp
import os
from attack import call
os.close(call("open_tree", -100, b"/usr", 1 | os.O_CLOEXEC))
