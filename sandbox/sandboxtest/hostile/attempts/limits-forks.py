# start a thousand processes
# held by: pids
import os, signal
children = []
try:
    for _ in range(1000):
        child = os.fork()
        if child == 0:
            signal.pause()
        children.append(child)
finally:
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
