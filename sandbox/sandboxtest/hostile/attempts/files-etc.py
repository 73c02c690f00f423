# open the list of users for writing
# held by: mount, landlock
open("/etc/passwd", "a").close()
