// inherit a secret of the daemon
// held by: env
if (!(process.env.TARGET_NEEDLE_NAME in process.env)) throw new Error('it was not passed on')
