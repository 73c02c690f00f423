# read the environment of one's parents up to process 1
# held by: pid
# control: none, a test is no child of the daemon
pid=$$
while [ "$pid" -gt 0 ]; do
  tr '\0' '\n' < "/proc/$pid/environ" 2>/dev/null | grep -q "^$TARGET_NEEDLE_NAME=" && [ "$pid" != "$$" ] && exit 0
  pid=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$pid/status" 2>/dev/null)
  [ -n "$pid" ] || break
done
echo "none of them has it" >&2
exit 1
