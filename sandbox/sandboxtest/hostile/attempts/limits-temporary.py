# fill the temporary directory
# held by: mount
import os
block = bytes(1 << 20)
try:
    with open("/tmp/bomb", "wb", buffering=0) as bomb:
        for _ in range(1024):
            bomb.write(block)
finally:
    os.remove("/tmp/bomb")
