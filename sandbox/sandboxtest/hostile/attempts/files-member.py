# read what another member keeps
# held by: mount, landlock
from attack import target
open(target("MEMBER_FILE")).read()
