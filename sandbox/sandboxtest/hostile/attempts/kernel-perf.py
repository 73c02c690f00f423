# watch the processor
# held by: seccomp
import ctypes, os, struct
from attack import call
software, clock = 1, 0
attributes = ctypes.create_string_buffer(struct.pack("IIQ", software, 112, clock), 112)
os.close(call("perf_event_open", attributes, -1, 0, -1, 0))
