// learn where the daemon's memory lies
// held by: pid
if (!require('fs').readFileSync(`/proc/${process.env.TARGET_DAEMON_PID}/maps`, 'latin1').includes('majordomo')) throw new Error('it is another process')
