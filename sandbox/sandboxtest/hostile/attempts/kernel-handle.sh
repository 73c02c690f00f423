# take the handle of a file, from Perl
# held by: seccomp
case $(uname -m) in x86_64) number=303 ;; *) number=264 ;; esac
exec perl -e '$h = pack("II", 128, 0) . "\0" x 128; $m = pack("i", 0); $p = "/usr"; exit(syscall($ARGV[0] + 0, -100, $p, $h, $m, 0) < 0 ? do { print STDERR "$!\n"; 1 } : 0)' "$number"
