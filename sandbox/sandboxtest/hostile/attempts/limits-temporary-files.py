# fill the temporary directory with files that are empty
# held by: mount
import os
os.mkdir("/tmp/many")
try:
    for n in range(120_000):
        os.mknod(f"/tmp/many/{n}")
finally:
    for name in os.listdir("/tmp/many"):
        os.remove("/tmp/many/" + name)
    os.rmdir("/tmp/many")
