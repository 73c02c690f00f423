# take the capability that includes most others
# held by: caps
import ctypes, struct
from attack import call
admin = 1 << 21
call("capset", ctypes.create_string_buffer(struct.pack("Ii", 0x20080522, 0), 8), ctypes.create_string_buffer(struct.pack("6I", admin, admin, 0, 0, 0, 0), 24))
