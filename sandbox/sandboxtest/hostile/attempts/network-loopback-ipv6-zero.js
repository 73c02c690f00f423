// use a service on the host's loopback by the IPv6 address zero
// held by: net, egress
require('net').connect(Number(process.env.TARGET_PORT), '::').on('data', () => process.exit(0)).on('close', () => { throw new Error('closed without a word') })
