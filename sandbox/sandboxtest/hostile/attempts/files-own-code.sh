# change one's own program from a shell
# held by: mount
: >> "$0"
