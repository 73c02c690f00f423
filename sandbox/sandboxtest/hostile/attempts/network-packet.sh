# listen to the wire, from Perl
# held by: caps, seccomp
exec perl -e 'socket(my $s, 17, 3, 0) or do { print STDERR "$!\n"; exit 1 }'
