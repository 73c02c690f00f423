// open ten thousand files from Node
const fs = require('fs')
for (let n = 0; n < 10000; n++) fs.openSync('/dev/null')
