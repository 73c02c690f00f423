# signal the group of the daemon
# held by: pid, landlock, uid
kill -0 -- "-$TARGET_DAEMON_PID" || kill -0 "$TARGET_DAEMON_PID"
