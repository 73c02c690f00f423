# write an attribute that only the machine's administrator may
# held by: caps
import os
open("marked", "w").close()
try:
    os.setxattr("marked", "trusted.majordomo", b"x")
finally:
    os.remove("marked")
