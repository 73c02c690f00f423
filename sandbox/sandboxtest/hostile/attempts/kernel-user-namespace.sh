# become root of a new user namespace
# held by: seccomp
unshare --user --map-root-user true
