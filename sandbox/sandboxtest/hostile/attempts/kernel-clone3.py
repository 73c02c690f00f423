# start a process by a call whose arguments no filter can see
# held by: seccomp
import ctypes, os, signal, struct
from attack import call
child = call("clone3", ctypes.create_string_buffer(struct.pack("11Q", 0x10000000, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, 0, 0, 0), 88), 88)
if child == 0:
    os._exit(0)
os.waitpid(child, 0)
