# reach the host through the working directory of the daemon
# held by: mount, landlock, pid
ls "/proc/$TARGET_DAEMON_PID/cwd/"
