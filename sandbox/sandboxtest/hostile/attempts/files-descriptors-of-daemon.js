// reach the files that the daemon has open
// held by: mount, landlock, pid
const fs = require('fs')
fs.readdirSync(`/proc/${process.env.TARGET_DAEMON_PID}/fd`)
