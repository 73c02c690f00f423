# use up the disk's files
# held by: disk
import os
os.mkdir("many")
for n in range(100_000):
    open(f"many/{n}", "w").close()
