# enter a new network namespace
# held by: seccomp
from attack import call
call("unshare", 0x40000000)
