// Runs the reference server that exercises every part of MCP.
import { Console } from "node:console";

// stdout belongs to JSON-RPC: what a package logs goes to stderr.
globalThis.console = new Console(process.stderr);

// The package has a bin and neither "main" nor "exports": its bin file is imported by path.
await import("@modelcontextprotocol/server-everything/dist/index.js");
