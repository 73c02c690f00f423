// ask the cloud's metadata service from Node
// held by: net, egress
// control: none, what is there on this host is not for a test to ask
require('http').get('http://100.100.100.200/', () => process.exit(0))
