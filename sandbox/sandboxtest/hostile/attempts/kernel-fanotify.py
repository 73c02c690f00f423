# watch every file of the machine
# held by: seccomp
import os
from attack import call
os.close(call("fanotify_init", 0, os.O_RDONLY))
