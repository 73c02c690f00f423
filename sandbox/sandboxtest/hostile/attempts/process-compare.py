# compare what two processes have open
# held by: seccomp
import os
from attack import call
call("kcmp", os.getpid(), os.getppid(), 0, 0, 0)
