# list the members of the household
# held by: mount, landlock
ls "$TARGET_HOMES"
