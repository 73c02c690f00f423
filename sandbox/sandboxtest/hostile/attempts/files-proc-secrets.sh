# read what /proc tells of the machine
# held by: mount, landlock
# control: none, not every kernel has all of it
for name in kcore keys kmsg timer_list sched_debug; do
  [ -n "$(head -c 1 /proc/$name 2>/dev/null | tr '\0' x)" ] && exit 0
done
echo "all of it is empty" >&2
exit 1
