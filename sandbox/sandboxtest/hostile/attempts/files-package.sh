# change the installed package that every member shares, from a shell
# held by: mount, landlock
set -e
: > "$TARGET_PACKAGE/planted.py"
rm "$TARGET_PACKAGE/planted.py"
