# open ten thousand files
import os
for _ in range(10_000):
    os.open("/dev/null", os.O_RDONLY)
