# read what another connector of the same member keeps
# held by: mount, landlock
from attack import target
open(target("SIBLING_FILE")).read()
