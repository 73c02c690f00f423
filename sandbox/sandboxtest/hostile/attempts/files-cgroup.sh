# leave one's control group from a shell
# held by: mount, landlock
for group in /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/*/cgroup.procs; do
  [ -w "$group" ] && exit 0
done
echo "no control group is in sight" >&2
exit 1
