# trace another connector, from Perl
# held by: seccomp
case $(uname -m) in x86_64) number=101 ;; *) number=117 ;; esac
exec perl -e 'exit(syscall($ARGV[0] + 0, 0x4206, $ARGV[1] + 0, 0, 0) < 0 ? do { print STDERR "$!\n"; 1 } : 0)' "$number" "$TARGET_SIBLING_PID"
