// open every setting of the kernel for writing, from Node
// held by: mount, landlock
const fs = require('fs')
let why
for (const name of ['kernel/core_pattern', 'kernel/modprobe', 'kernel/sysrq', 'kernel/ns_last_pid', 'vm/drop_caches', 'vm/overcommit_memory', 'net/ipv4/ip_forward', 'fs/protected_symlinks']) try {
  fs.closeSync(fs.openSync('/proc/sys/' + name, fs.constants.O_WRONLY))
  process.exit(0)
} catch (error) { why = error }
throw why
