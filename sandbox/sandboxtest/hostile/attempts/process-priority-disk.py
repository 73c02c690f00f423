# take precedence over everything else on the disk
# held by: caps
from attack import call
call("ioprio_set", 1, 0, 1 << 13)
