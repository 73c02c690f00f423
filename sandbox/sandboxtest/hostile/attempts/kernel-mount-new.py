# mount a file system by the newer calls
# held by: seccomp
import os
from attack import call
os.close(call("fsopen", b"tmpfs", 1))
