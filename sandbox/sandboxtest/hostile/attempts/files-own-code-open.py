# make one's own program writable, and write to it by its descriptor
# held by: mount
import os
os.chmod(__file__, 0o777)
fd = os.open(__file__, os.O_RDONLY)
os.close(os.open(f"/proc/self/fd/{fd}", os.O_WRONLY))
