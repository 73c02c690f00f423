# keep something in the kernel's keyring
# held by: seccomp
from attack import call
call("add_key", b"user", b"majordomo-attempt", b"x", 1, -1)
