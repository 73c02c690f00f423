# make the program folder writable again
# held by: seccomp
# control: none, outside nothing is mounted there
mount -o remount,bind,rw "$0"
