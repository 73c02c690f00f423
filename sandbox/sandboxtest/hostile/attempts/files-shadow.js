// read the hashed passwords of the host from Node
// held by: mount, landlock
require('fs').readFileSync('/etc/shadow')
