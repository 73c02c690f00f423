# take the machine's swap away
# held by: seccomp
import errno
from attack import useless
useless(errno.ENOENT, "swapoff", b"/nowhere")
