# reboot the machine at once
# held by: seccomp
from attack import call
call("reboot", 0xFEE1DEAD, 0x28121969, 0x01234567, None)
