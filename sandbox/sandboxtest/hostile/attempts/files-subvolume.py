# keep files where a count of one's directory does not look, in a subvolume
# held by: seccomp
# control: none, only some file systems have them
import ctypes, os, struct
from attack import call
call("ioctl", os.open(".", os.O_RDONLY), 0x5000940E, ctypes.create_string_buffer(struct.pack("q", 0) + b"subvolume", 4096))
os.rmdir("subvolume")
