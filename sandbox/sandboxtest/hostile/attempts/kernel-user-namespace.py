# enter a new user namespace
# held by: seccomp
from attack import call
call("unshare", 0x10000000)
