# ask a service of the host with curl
# held by: net, egress
curl --silent --http0.9 --max-time 5 "http://$TARGET_ADDRESS:$TARGET_PORT/"
