# ask the daemon's control socket with curl
# held by: mount, landlock
curl --silent --max-time 5 --unix-socket "$TARGET_SOCKET" http://majordomo/
