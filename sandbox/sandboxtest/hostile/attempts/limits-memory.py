# fill the memory
# held by: memory
import mmap
size = 1 << 30
area = mmap.mmap(-1, size)
for page in range(0, size, 4096):
    area[page] = 1
