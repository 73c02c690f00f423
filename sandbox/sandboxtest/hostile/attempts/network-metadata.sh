# ask the cloud's metadata service with curl
# held by: net, egress
# control: none, what is there on this host is not for a test to ask
curl --silent --fail --max-time 5 http://169.254.169.254/latest/meta-data/ || curl --silent --fail --max-time 5 http://168.63.129.16/
