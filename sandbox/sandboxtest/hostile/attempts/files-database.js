// copy the daemon's database from Node
// held by: mount, landlock
const fs = require('fs')
fs.copyFileSync(process.env.TARGET_DATABASE, 'stolen')
fs.rmSync('stolen')
