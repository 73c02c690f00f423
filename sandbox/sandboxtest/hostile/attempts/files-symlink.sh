# escape by a symbolic link to a directory
# held by: mount, landlock
ln -sfn "$TARGET_STATE" link-to-state
cat link-to-state/vault.key
