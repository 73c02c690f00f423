# rename the host's domain, to its own name
# held by: seccomp
import ctypes, os
from attack import call
name = open("/proc/sys/kernel/domainname", "rb").read().strip()
call("setdomainname", name, len(name))
