# plant a program on the host's path
# held by: mount, landlock
set -e
: > /usr/local/bin/majordomo-attempt
rm /usr/local/bin/majordomo-attempt
