# signal another connector
# held by: pid, landlock, uid
kill -0 "$TARGET_SIBLING_PID"
