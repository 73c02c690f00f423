# have the kernel ask the host for a key
# held by: seccomp
import errno
from attack import call
try:
    call("request_key", b"user", b"majordomo-attempt-that-is-not-there", None, 0)
except OSError as answer:
    if answer.errno != errno.ENOKEY:
        raise
