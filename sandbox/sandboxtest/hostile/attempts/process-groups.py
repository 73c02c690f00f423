# join the groups of the host
# held by: caps
import os
os.setgroups([0, 4, 42])
