# switch off the randomisation of addresses
# held by: seccomp
from attack import call
call("personality", 0x0040000)
