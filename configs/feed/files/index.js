// Runs the reference file server on the member's own files, and on nothing else.
import { Console } from "node:console";
import { homedir } from "node:os";
import { join } from "node:path";

// stdout belongs to JSON-RPC: what a package logs goes to stderr.
globalThis.console = new Console(process.stderr);

// The server takes the directories that it may touch from its command line. ~/files is there because
// connector.json asks for it in x_majordomo.mounts.
process.argv.push(join(homedir(), "files"));

// The package has a bin and neither "main" nor "exports": its bin file is imported by path.
await import("@modelcontextprotocol/server-filesystem/dist/index.js");
