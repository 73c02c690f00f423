# take a descriptor out of another connector
# held by: seccomp
import os
from attack import call, target
pidfd = call("pidfd_open", int(target("SIBLING_PID")), 0)
os.close(call("pidfd_getfd", pidfd, 0, 0))
