# read the hashed passwords of the host from Python
# held by: mount, landlock
open("/etc/shadow", "rb").read()
