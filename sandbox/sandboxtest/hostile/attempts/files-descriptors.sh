# find an open descriptor that leads outside, from a shell
# held by: fds
# control: none, a test has no such descriptor
for fd in 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
  [ -e "/proc/$$/fd/$fd" ] || continue
  where=$(readlink "/proc/$$/fd/$fd")
  case $where in "$0"|*/attempts/*) ;; *) exit 0 ;; esac
done
echo "every descriptor is one's own" >&2
exit 1
