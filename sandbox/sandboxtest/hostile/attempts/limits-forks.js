// start six hundred processes from Node
// held by: pids
const { spawn } = require('child_process')
const all = []
let failed = 0, started = 0
for (let n = 0; n < 600; n++) {
  const child = spawn('sleep', ['20'], { stdio: 'ignore' })
  all.push(child)
  child.on('spawn', () => { started++; done() }).on('error', () => { failed++; done() })
}
function done() {
  if (started + failed < 600) return
  for (const child of all) child.kill('SIGKILL')
  if (failed) console.error(failed + ' were refused')
  process.exit(failed ? 1 : 0)
}
