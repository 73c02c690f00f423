// plant a file in the daemon's state from Node
// held by: mount, landlock
const fs = require('fs'), path = process.env.TARGET_STATE + '/planted'
fs.writeFileSync(path, '')
fs.rmSync(path)
