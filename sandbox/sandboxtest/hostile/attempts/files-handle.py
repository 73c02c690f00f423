# open a file of the host by its handle
# held by: seccomp
import ctypes, os
from attack import call
handle = ctypes.create_string_buffer(b"\x80\0\0\0" + bytes(136), 140)
mount_id = ctypes.c_int()
root = os.open("/", os.O_RDONLY)
call("name_to_handle_at", root, b"usr", handle, ctypes.byref(mount_id), 0)
os.close(call("open_by_handle_at", root, handle, os.O_RDONLY))
