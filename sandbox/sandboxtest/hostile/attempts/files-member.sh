# read what another member keeps, with a shell
# held by: mount, landlock
cat "$TARGET_MEMBER_FILE"
