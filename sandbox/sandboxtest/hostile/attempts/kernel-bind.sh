# show a directory a second time
# held by: seccomp
set -e
mkdir -p bound
mount --bind . bound
umount bound
