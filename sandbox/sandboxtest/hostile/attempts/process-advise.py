# have another connector's memory thrown out
# held by: seccomp
import errno
from attack import call, useless
import os
useless(errno.EINVAL, "process_madvise", call("pidfd_open", os.getpid(), 0), None, 0, 9999, 7)
