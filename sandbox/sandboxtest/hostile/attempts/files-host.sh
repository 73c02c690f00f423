# change a file of the host that everybody may write
# held by: mount, landlock
: >> "$TARGET_HOST_FILE"
