// read what another connector of the same member keeps, from Node
// held by: mount, landlock
require('fs').readFileSync(process.env.TARGET_SIBLING_FILE)
