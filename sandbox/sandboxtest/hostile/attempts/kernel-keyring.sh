# keep something in the kernel's keyring, from Perl
# held by: seccomp
case $(uname -m) in x86_64) number=248 ;; *) number=217 ;; esac
exec perl -e '$t = "user"; $d = "majordomo-attempt"; $v = "x"; exit(syscall($ARGV[0] + 0, $t, $d, $v, 1, -1) < 0 ? do { print STDERR "$!\n"; 1 } : 0)' "$number"
