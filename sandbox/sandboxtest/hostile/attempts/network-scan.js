// find open ports of the household's router from Node
// held by: net, egress
// control: none, what is there is not for a test to ask
const net = require('net')
let left = 0
for (const host of ['192.168.0.1', '192.168.1.1', '10.0.0.1', '172.17.0.1']) for (const port of [22, 53, 80, 443]) {
  left++
  const s = net.connect({ host, port, timeout: 4000 })
  s.on('connect', () => s.on('data', () => process.exit(0)) && s.write('GET / HTTP/1.0\r\n\r\n'))
  s.on('timeout', () => s.destroy()).on('error', () => {}).on('close', () => { if (--left === 0) { console.error('nobody answers'); process.exit(1) } })
}
