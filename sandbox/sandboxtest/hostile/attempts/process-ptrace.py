# trace another connector
# held by: seccomp
from attack import call, target
SEIZE, DETACH, INTERRUPT = 0x4206, 17, 0x4207
call("ptrace", SEIZE, int(target("SIBLING_PID")), 0, 0)
