# enter a new network namespace by a program of the host
# held by: seccomp
unshare --net true
