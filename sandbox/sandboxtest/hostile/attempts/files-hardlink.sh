# escape by a hard link to another member's file
# held by: mount, landlock
ln "$TARGET_MEMBER_FILE" second-name && rm second-name
