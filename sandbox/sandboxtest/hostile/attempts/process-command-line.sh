# read the command line of the daemon by its number
# held by: pid
grep -q serve "/proc/$TARGET_DAEMON_PID/cmdline"
