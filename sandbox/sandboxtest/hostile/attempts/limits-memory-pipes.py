# fill the kernel's memory by pipes that nobody reads
# held by: memory, fds
import fcntl, os
held = 0
pipes = []
while held < 1 << 30:
    r, w = os.pipe()
    pipes.append((r, w))
    fcntl.fcntl(w, 1031, 1 << 20)
    os.set_blocking(w, False)
    held += os.write(w, bytes(1 << 20))
