# find the keys of the session
# held by: seccomp
from attack import call
call("keyctl", 0, -3, 1)
