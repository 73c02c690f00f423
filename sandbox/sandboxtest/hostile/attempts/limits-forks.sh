# start a thousand processes from a shell
# held by: pids
trap 'kill $started 2>/dev/null' EXIT
n=0
while [ $n -lt 1000 ]; do
  sleep 20 & started="$started $!" n=$((n + 1))
done
