// read the daemon's environment by its number
// held by: pid
const text = require('fs').readFileSync(`/proc/${process.env.TARGET_DAEMON_PID}/environ`, 'latin1')
if (!text.includes(process.env.TARGET_NEEDLE_NAME + '=')) throw new Error('it is another process')
