"use strict";
// A model connector with a QR login, in Node without packages.
//
//   index.js    the MCP server: newline-delimited JSON-RPC on stdin and stdout
//   pairing.js  the state: what is paired and how
//   qr.js       a text as a QR picture
//
// stdout belongs to JSON-RPC alone: one stray line there and a strict client loses its place. Logs go to stderr.

const readline = require("node:readline");
const { Console } = require("node:console");
const { Pairing } = require("./pairing.js");
const qr = require("./qr.js");

globalThis.console = new Console(process.stderr); // also for what a helper or a package may print

const pairing = new Pairing();

// ---- tools

const MESSAGES = {
  connecting: "Connecting …",
  need_scan: "Scan the picture, then hand its code to the tool confirm.",
  ready: "Paired.",
  logged_out: "The saved session cannot be used. Log out to pair again.",
};

const NOTHING = { type: "object", properties: {}, additionalProperties: false };

const TOOLS = [
  {
    // The host calls login_status and logout for its login panel and offers neither to a model.
    name: "login_status",
    title: "Login status",
    description: "The state of the pairing as JSON; with a QR picture while a scan is needed.",
    inputSchema: NOTHING,
    annotations: { readOnlyHint: true },
    run() {
      const status = { state: pairing.state, message: MESSAGES[pairing.state] };
      if (pairing.state === "need_scan") {
        status.qr = "data:image/png;base64," + qr.png(pairing.currentCode()).toString("base64");
      }
      return JSON.stringify(status);
    },
  },
  {
    name: "logout",
    title: "Log out",
    description: "Forget the paired device and start over with a fresh picture.",
    inputSchema: NOTHING,
    annotations: { destructiveHint: true },
    run() {
      pairing.logout();
      return "Logged out.";
    },
  },
  {
    name: "confirm",
    title: "Confirm pairing",
    description: "Finish the pairing with the code that the QR picture holds.",
    inputSchema: {
      type: "object",
      properties: { code: { type: "string", description: "The code from the picture, such as K7QF-3M9D." } },
      required: ["code"],
      additionalProperties: false,
    },
    run({ code }) {
      if (typeof code !== "string") throw new Error("cannot confirm: code must be a text");
      pairing.confirm(code);
      return "Paired.";
    },
  },
  {
    name: "whoami",
    title: "Who am I",
    description: "Which device is paired, and since when.",
    inputSchema: NOTHING,
    annotations: { readOnlyHint: true },
    run() {
      if (!pairing.session) throw new Error("cannot say who you are: not paired yet; scan the picture in the login panel");
      return `Device ${pairing.session.device}, paired at ${pairing.session.linked_at}.`;
    },
  },
];

// callTool reports a failed tool as a result with isError, which the model can read and act on.
// A JSON-RPC error would say that the request itself was wrong.
function callTool(params) {
  const tool = TOOLS.find((t) => t.name === params?.name);
  if (!tool) throw new RPCError(-32602, `unknown tool: ${params?.name}`);
  try {
    return { content: [{ type: "text", text: tool.run(params.arguments ?? {}) }] };
  } catch (err) {
    console.error(`${tool.name}: ${err.message}`);
    return { content: [{ type: "text", text: err.message }], isError: true };
  }
}

// ---- JSON-RPC

class RPCError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

function dispatch(method, params) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: "2024-11-05",
        capabilities: { tools: {} },
        serverInfo: { name: "pairing", version: "1.0.0" },
      };
    case "ping":
      return {};
    case "tools/list":
      return { tools: TOOLS.map(({ run, ...shown }) => shown) };
    case "tools/call":
      return callTool(params);
    default:
      throw new RPCError(-32601, `unknown method: ${method}`);
  }
}

// answer returns the reply to one line, or null where none is due: a message without an id is a notification,
// one without a method is a reply to a question that we never ask, and what cannot be read has no id to answer to.
function answer(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch (err) {
    console.error(`cannot read a message: ${err.message}`);
    return null;
  }
  const { id, method, params } = message ?? {};
  if (id === undefined || id === null || typeof method !== "string") return null;
  try {
    return { jsonrpc: "2.0", id, result: dispatch(method, params) };
  } catch (err) {
    return { jsonrpc: "2.0", id, error: { code: err instanceof RPCError ? err.code : -32603, message: err.message } };
  }
}

pairing.start();
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  if (line.trim() === "") return;
  const reply = answer(line);
  if (reply) process.stdout.write(JSON.stringify(reply) + "\n");
});
// Nothing else holds the event loop: when stdin ends, what is still to be written is written, and Node exits with 0.
process.stdout.on("error", () => process.exit(0)); // the client has gone
