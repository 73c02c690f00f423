// use a service on the host's loopback by name
// held by: net, egress
const net = require('net')
net.connect(Number(process.env.TARGET_PORT), 'localhost').on('data', () => process.exit(0)).on('close', () => { throw new Error('closed without a word') })
