# load a program into the kernel, from Perl
# held by: seccomp
case $(uname -m) in x86_64) number=321 ;; *) number=280 ;; esac
exec perl -e '$a = pack("IIIII", 2, 4, 4, 1, 0) . "\0" x 52; exit(syscall($ARGV[0] + 0, 0, $a, 72) < 0 ? do { print STDERR "$!\n"; 1 } : 0)' "$number"
