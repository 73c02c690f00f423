// read the key of the vault from Node
// held by: mount, landlock
require('fs').readFileSync(process.env.TARGET_KEY)
