# read the hashed passwords of the host
# held by: mount, landlock
cat /etc/shadow
