// climb out of one's directory from Node
// held by: mount, landlock
require('fs').readFileSync('../'.repeat(60) + process.env.TARGET_KEY.slice(1))
