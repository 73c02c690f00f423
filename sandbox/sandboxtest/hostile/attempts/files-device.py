# make a device of one's own
# held by: caps
import os, stat
os.mknod("disk", 0o600 | stat.S_IFBLK, os.makedev(7, 0))
os.remove("disk")
