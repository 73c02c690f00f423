# make a device of one's own from a shell, and open it
# held by: caps
set -e
mknod memory c 1 1
rm memory
