// ask the daemon's agent endpoint from Node
// held by: net, egress
require('http').get('http://' + process.env.TARGET_LISTEN + '/healthz', () => process.exit(0))
