# read the key of the vault
# held by: mount, landlock
cat "$TARGET_KEY"
