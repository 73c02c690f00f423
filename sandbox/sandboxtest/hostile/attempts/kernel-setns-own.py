# enter a namespace by a descriptor of a process
# held by: seccomp
import os
from attack import call, target
call("setns", call("pidfd_open", int(target("SIBLING_PID")), 0), 0x20000)
