# open what the host runs when a control group empties
# held by: mount, landlock
# control: none, the host may have the second hierarchy only
for agent in /sys/fs/cgroup/*/release_agent; do
  [ -w "$agent" ] && exit 0
done
echo "no control group is in sight" >&2
exit 1
