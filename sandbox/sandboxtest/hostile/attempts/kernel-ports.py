# speak to the machine's ports
# held by: seccomp
import platform
from attack import call
if platform.machine() == "aarch64":
    raise SystemExit("this machine has none")
call("ioperm", 0x80, 1, 1)
