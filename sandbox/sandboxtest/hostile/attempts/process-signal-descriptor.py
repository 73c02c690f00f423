# signal another connector by a descriptor of it
# held by: pid, landlock, uid
import os, signal
from attack import call, target
call("pidfd_send_signal", call("pidfd_open", int(target("SIBLING_PID")), 0), 0, None, 0)
