# open the daemon's database
# held by: mount, landlock
from attack import target
open(target("DATABASE"), "rb").read(16)
