// list the members of the household from Node
// held by: mount, landlock
require('fs').readdirSync(process.env.TARGET_HOMES)
