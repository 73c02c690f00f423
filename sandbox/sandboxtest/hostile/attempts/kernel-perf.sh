# watch the processor, from Perl
# held by: seccomp
case $(uname -m) in x86_64) number=298 ;; *) number=241 ;; esac
exec perl -e '$a = pack("IIQ", 1, 112, 0) . "\0" x 96; exit(syscall($ARGV[0] + 0, $a, -1, 0, -1, 0) < 0 ? do { print STDERR "$!\n"; 1 } : 0)' "$number"
