# fill the memory by the three file systems that are in memory, none of them over its own bound
# held by: memory
import os, shutil
block = bytes(1 << 20)
try:
    for directory in ("/tmp", "/dev/shm", os.path.expanduser("~")):
        with open(directory + "/majordomo-attempt", "wb", buffering=0) as file:
            for _ in range(220):
                file.write(block)
finally:
    for directory in ("/tmp", "/dev/shm", os.path.expanduser("~")):
        if os.path.exists(directory + "/majordomo-attempt"):
            os.remove(directory + "/majordomo-attempt")
