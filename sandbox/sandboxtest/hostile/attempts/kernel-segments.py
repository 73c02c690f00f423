# change the processor's table of segments
# held by: seccomp
import platform
from attack import call
if platform.machine() == "aarch64":
    raise SystemExit("this machine has none")
call("modify_ldt", 0, bytes(16), 16)
