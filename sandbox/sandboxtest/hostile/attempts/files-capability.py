# give a program of one's own a capability
# held by: caps
import os, shutil, struct
shutil.copy("/usr/bin/env", "capable")
try:
    os.setxattr("capable", "security.capability", struct.pack("<IIIII", 0x02000001, 1 << 21, 0, 0, 0))
finally:
    os.remove("capable")
