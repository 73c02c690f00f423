# open a ring past the filter of system calls, from Perl
# held by: seccomp
exec perl -e '$p = "\0" x 120; exit(syscall(425, 1, $p) < 0 ? do { print STDERR "$!\n"; 1 } : 0)'
