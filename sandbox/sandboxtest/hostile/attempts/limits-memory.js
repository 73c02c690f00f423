// fill the memory from Node
// held by: memory
const all = []
for (let n = 0; n < 1024; n++) all.push(Buffer.alloc(1 << 20, 1))
