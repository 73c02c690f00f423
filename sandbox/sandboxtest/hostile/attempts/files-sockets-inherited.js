// find a socket that was passed on by accident
// held by: fds
// control: none, a test has no such descriptor
const fs = require('fs'), net = require('net')
let found = false
for (let fd = 3; fd < 64; fd++) try {
  const stat = fs.fstatSync(fd)
  const where = fs.readlinkSync(`/proc/self/fd/${fd}`)
  if (stat.isSocket() || where.startsWith(process.env.TARGET_STATE)) found = found || where
} catch (e) {}
if (!found || found.startsWith('anon_inode')) throw new Error('every descriptor is Node\'s own')
