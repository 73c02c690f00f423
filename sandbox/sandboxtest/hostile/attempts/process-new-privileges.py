# take back that nothing gives new privileges
# held by: no_new_privs
# control: none, outside it never was given
import ctypes
from attack import libc
if libc.prctl(39, 0, 0, 0, 0) == 0:
    raise SystemExit(0)
libc.prctl(38, 0, 0, 0, 0)
if libc.prctl(39, 0, 0, 0, 0) == 1:
    raise SystemExit("it cannot be taken back")
