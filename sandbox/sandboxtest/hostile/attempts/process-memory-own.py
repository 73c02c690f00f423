# write over a page that is mapped read-only from the host's library
# held by: mount
import ctypes.util, os, re
line = next(l for l in open("/proc/self/maps") if re.search(r"r-xp .*libc", l))
start = int(line.split("-")[0], 16)
path = line.split()[-1]
memory = open("/proc/self/mem", "r+b", buffering=0)
memory.seek(start)
was = memory.read(1)
memory.seek(start)
memory.write(was)
os.close(os.open(path, os.O_WRONLY))
