# open the emergency keys of the machine from a shell
# held by: mount, landlock
# control: none, /dev/null lies there in some containers
[ -c /proc/sysrq-trigger ] && { echo "it is /dev/null" >&2; exit 1; }
: >> /proc/sysrq-trigger
