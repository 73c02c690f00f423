# stop the kernel in the middle of a copy
# held by: seccomp
import os
from attack import call
os.close(call("userfaultfd", os.O_CLOEXEC))
