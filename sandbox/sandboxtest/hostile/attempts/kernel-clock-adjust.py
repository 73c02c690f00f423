# set the speed of the clock, to what it is
# held by: seccomp
import ctypes, struct
from attack import call
timex = ctypes.create_string_buffer(208)
call("adjtimex", timex)
tick = struct.unpack_from("q", timex, 88)[0]
timex = ctypes.create_string_buffer(208)
struct.pack_into("I", timex, 0, 0x4000)
struct.pack_into("q", timex, 88, tick)
call("clock_adjtime", 0, timex)
