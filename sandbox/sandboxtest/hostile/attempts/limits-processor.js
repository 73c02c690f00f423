// use more than one processor from Node
// held by: cpu
const { Worker, isMainThread } = require('worker_threads'), os = require('os')
if (!isMainThread) { const end = Date.now() + 3000; while (Date.now() < end); process.exit() }
if (os.availableParallelism() < 2) throw new Error('this host has only one')
const before = process.cpuUsage(), begun = Date.now()
let left = 2
for (let n = 0; n < 2; n++) new Worker(__filename).on('exit', () => {
  if (--left) return
  const used = process.cpuUsage(before), share = (used.user + used.system) / 1000 / (Date.now() - begun)
  if (share < 1.25) { console.error('it had ' + share.toFixed(2) + ' processors'); process.exit(1) }
  process.exit(0)
})
