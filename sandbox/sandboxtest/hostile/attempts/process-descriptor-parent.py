# take a descriptor out of process 1
# held by: seccomp
# control: none, the host's own process 1 is left alone
import os
from attack import call
os.close(call("pidfd_getfd", call("pidfd_open", 1, 0), 3, 0))
