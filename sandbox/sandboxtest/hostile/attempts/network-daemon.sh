# ask the daemon's agent endpoint with curl
# held by: net, egress
curl --silent --max-time 5 "http://$TARGET_LISTEN/healthz"
