# fill the memory by a file without a name
# held by: memory
import os
fd = os.memfd_create("bomb")
block = bytes(1 << 20)
for _ in range(1024):
    os.write(fd, block)
