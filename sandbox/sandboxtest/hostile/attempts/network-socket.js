// connect to the daemon's control socket from Node
// held by: mount, landlock
require('net').connect(process.env.TARGET_SOCKET).on('connect', () => process.exit(0))
