// send datagrams past the daemon from Node
// held by: net, egress
const s = require('dgram').createSocket('udp4')
s.on('message', () => process.exit(0)).send('x', Number(process.env.TARGET_PORT), process.env.TARGET_ADDRESS)
setTimeout(() => { console.error('nobody answers'); process.exit(1) }, 2000)
