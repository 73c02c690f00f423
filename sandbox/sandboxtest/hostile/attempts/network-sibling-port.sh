# use a port that another connector may have opened on its loopback
# held by: net
curl --silent --http0.9 --max-time 5 "http://localhost:$TARGET_PORT/"
