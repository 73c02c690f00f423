# reach the host through the root directory of process 1
# held by: mount, landlock, pid
# control: none, a container shows nobody the root of its own
cat "/proc/1/root$TARGET_KEY"
