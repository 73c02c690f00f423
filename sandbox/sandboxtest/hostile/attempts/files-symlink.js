// escape by a symbolic link from Node
// held by: mount, landlock
const fs = require('fs')
fs.rmSync('link-to-homes', { force: true })
fs.symlinkSync(process.env.TARGET_HOMES, 'link-to-homes')
fs.readdirSync('link-to-homes/')
