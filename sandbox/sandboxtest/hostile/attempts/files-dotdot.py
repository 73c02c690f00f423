# climb out of the root directory
# held by: mount, landlock
import os
from attack import target
open("/proc/self/root/" + "../" * 40 + target("KEY"), "rb").read()
