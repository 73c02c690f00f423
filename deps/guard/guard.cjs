// node loads this before anything of a connector. Beside a connector's code lies what it keeps: require("./helper")
// would prefer a file "helper" written there to the helper.js that was shipped. So in its directory, code is looked for
// among the files that were shipped. JSON is data, and may be its own.
"use strict"
const fs = require("fs")
const Module = require("module")

const base = "/root/.skald/mcp/"
const extensions = [".js", ".cjs", ".node", "/index.js", "/index.cjs", "/index.node"]

// mounts are those below base, the innermost first.
function mounts() {
  const all = []
  for (const line of fs.readFileSync("/proc/self/mountinfo", "utf8").split("\n")) {
    const fields = line.split(" ")
    if (fields.length > 5 && fields[4].startsWith(base)) all.push({ at: fields[4].replace(/\\040/g, " "), readOnly: fields[5].split(",").includes("ro") })
  }
  return all.sort((a, b) => b.at.length - a.at.length)
}
let known

// shipped is true of what a connector cannot have written: it is mounted read-only, or belongs to somebody else.
function shipped(file) {
  known ||= mounts()
  const mount = known.find((m) => file === m.at || file.startsWith(m.at + "/"))
  return Boolean(mount && mount.readOnly) || fs.lstatSync(file).uid !== process.getuid()
}

const resolve = Module._resolveFilename
Module._resolveFilename = function (request, ...rest) {
  const found = resolve.call(this, request, ...rest)
  if (!found.startsWith(base) || found.endsWith(".json") || shipped(found)) return found
  for (const extension of extensions) {
    try {
      const other = resolve.call(this, request + extension, ...rest)
      if (!other.startsWith(base) || shipped(other)) return other
    } catch {}
  }
  const error = new Error(`Cannot find module '${request}': ${found} is not part of the package`)
  error.code = "MODULE_NOT_FOUND"
  throw error
}
