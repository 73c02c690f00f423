// A scripted MCP connector for tests. Its twin is server.py: the same modes.
//
// FAKE_MODE (or the file `mode` beside this one) chooses the behaviour, FAKE_TRACE names a file
// that every line received is appended to.
'use strict';
const fs = require('fs');
const path = require('path');
const { spawn } = require('child_process');

let mode = process.env.FAKE_MODE;
try { mode ??= fs.readFileSync(path.join(__dirname, 'mode'), 'utf8'); } catch { mode = 'good'; }
const [MODE, ...ARGS] = mode.trim().split(/\s+/);
const TRACE = process.env.FAKE_TRACE;
const DEEP = '['.repeat(10001) + ']'.repeat(10001);

const tools = ['echo'];
let calls = 0;
let logins = 0;

const arg = (i, d = '') => ARGS[i] ?? d;
const num = (i, d = 0) => parseInt(arg(i, d), 10);
const trace = (text) => { if (TRACE) fs.appendFileSync(TRACE, `${(Date.now() / 1000).toFixed(6)} ${text}\n`); };
const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const text = (s) => ({ content: [{ type: 'text', text: s }] });

// Blocking, whatever the other end is: the order of what a mode prints matters.
function writeTo(fd, data) {
  let b = Buffer.from(data);
  while (b.length) {
    try { b = b.subarray(fs.writeSync(fd, b)); } catch (e) {
      if (e.code !== 'EAGAIN') process.exit(0);
      pause(1);
    }
  }
}
const write = (data) => writeTo(1, data);

// Writes one message, framed as the mode wants it.
function send(message) {
  let line = typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message });
  if (MODE === 'garbage-then-good') write('{"jsonrpc":\n');
  if (MODE === 'dump') write('{\n  message: \'x\',\n}\n{}\n[1]\n{"level":"info","msg":"x"}\n');
  if (MODE === 'prefix') line = 'INFO sending ' + line;
  if (MODE === 'batch') line = '[' + line + ']';
  if (MODE === 'lsp') return write(`Content-Length: ${Buffer.byteLength(line)}\r\n\r\n${line}`);
  write(line + (MODE === 'crlf' ? '\r\n\r\n' : '\n'));
}

function reply(id, what) {
  if (MODE === 'float-ids') return send(`{"jsonrpc":"2.0","id":${id}.0,${JSON.stringify(what).slice(1)}`);
  if (MODE === 'own-ids') id = 1;
  if (MODE === 'string-ids') id = String(id);
  send({ id, ...what });
  if (MODE === 'duplicate') {
    send({ id, ...what });
    send({ id: 999999, ...what });
  }
}

// exit CODE POINT and signal NUMBER POINT
function die(point) {
  if (arg(1, 'start') !== point) return;
  if (MODE === 'exit') {
    writeTo(2, `last words: exit ${arg(0)} at ${point}\n`);
    process.exit(num(0));
  }
  if (MODE === 'signal') {
    process.kill(process.pid, num(0));
    for (;;) pause(1000);
  }
}

function start() {
  die('start');
  if (MODE === 'banner') write('Fake server 1.0\n*** ready \u{1F680} ***\n\nlistening\n');
  if (MODE === 'bom') write('\ufeff');
  if (MODE === 'stderr') writeTo(2, ('x'.repeat(63) + '\n').repeat(num(0, 262144) / 64));
  if (MODE === 'progress') for (let i = 0; i < 5 * 1024 * 1024 / 32; i++) writeTo(2, String(i).padStart(30) + '%\r');
  if (MODE === 'ignore-term') process.on('SIGTERM', () => {});
  if (MODE === 'fork' || MODE === 'setsid') {
    const child = spawn('sleep', ['300'], { stdio: 'inherit', detached: MODE === 'setsid' });
    child.unref();
    trace(`child ${child.pid}`);
  }
}

// The input has ended.
function end() {
  while (MODE === 'spin-on-eof');
  if (MODE === 'ignore-term') return setInterval(() => {}, 3600e3);
  process.exit(0);
}

function initialize(id, params) {
  die('initialize');
  if (MODE === 'never-init') return;
  if (MODE === 'demands' && params.protocolVersion !== arg(0)) {
    const data = { supported: ['1999-01-01', arg(0)], requested: params.protocolVersion };
    return reply(id, { error: { code: -32602, message: 'Unsupported protocol version', data } });
  }
  if (MODE === 'slow-init') pause(num(0, 1000));
  const result = { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'fake', version: '1.0' } };
  if (MODE === 'version') result.protocolVersion = arg(0);
  if (MODE === 'no-version') delete result.protocolVersion;
  if (MODE === 'echo-version') result.protocolVersion = params.protocolVersion;
  reply(id, { result });
  if (MODE === 'midlog') write('handshake done\n');
  while (MODE === 'deaf') pause(3600e3);
}

const tool = (name) => ({ name, description: 'A tool.', inputSchema: { type: 'object' } });

function toolsList(id, params) {
  die('list');
  const at = parseInt(params.cursor ?? '0', 10);
  if (MODE === 'no-list') return reply(id, { error: { code: -32601, message: 'method not found' } });
  if (MODE === 'null-lists') return reply(id, { result: { tools: null, nextCursor: null } });
  if (MODE === 'paged-stuck') return reply(id, { result: { tools: [], nextCursor: 'same' } });
  if (MODE === 'paged-forever') return reply(id, { result: { tools: [tool('tool' + at)], nextCursor: String(at + 1) } });
  if (MODE === 'paged') { // paged TOTAL SIZE
    const upto = Math.min(at + num(1, 8), num(0, 14));
    const result = { tools: [] };
    for (let i = at; i < upto; i++) result.tools.push(tool('tool' + i));
    if (upto < num(0, 14)) result.nextCursor = String(upto);
    return reply(id, { result });
  }
  const listed = tools.map(tool);
  if (MODE === 'bare-list') return reply(id, { result: listed });
  if (MODE === 'schemas') {
    const odd = [true, [], 'x', { $ref: 'file:///etc/passwd' }, { $ref: '#/$defs/a', $defs: { a: {} } },
      { description: 'x'.repeat(70000) }, { properties: { $ref: { type: 'string' } } }, null];
    odd.forEach((inputSchema, i) => listed.push({ ...tool('odd' + i), inputSchema }));
    listed.push({ description: 'no name' }, 7, { ...tool('echo'), description: 'Another.' });
  }
  reply(id, { result: { tools: listed } });
}

// Walks connecting, need_scan, ready; the session is a file in ./auth.
function loginStatus() {
  if (fs.existsSync('auth/session')) return { state: 'ready' };
  logins++;
  if (logins <= 1) return { state: 'connecting' };
  if (logins <= num(0, 3)) {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    return { state: 'need_scan', qr: 'data:image/png;base64,' + png };
  }
  fs.mkdirSync('auth', { recursive: true });
  fs.writeFileSync('auth/session', 'paired');
  return { state: 'ready' };
}

const ASKS = { 'ask-ping': 'ping', 'ask-roots': 'roots/list', 'ask-sampling': 'sampling/createMessage',
  'ask-elicit': 'elicitation/create', 'ask-unknown': 'no/such' };
let asked; // takes the answer to a request of the server's own

function sorted(v) {
  if (Array.isArray(v)) return v.map(sorted);
  if (v === null || typeof v !== 'object') return v;
  return Object.fromEntries(Object.keys(v).sort().map((k) => [k, sorted(v[k])]));
}

function toolsCall(id, params) {
  calls++;
  die('call');
  const name = params.name;
  if (MODE === 'midlog') write(`calling ${name}\n`);
  if (MODE === 'big') return reply(id, { result: text('x'.repeat(num(0))) });
  if (MODE === 'big-id-last') return send(`{"result":{"text":"${'x'.repeat(num(0))}"},"jsonrpc":"2.0","id":${id}}`);
  if (MODE === 'big-no-id') return send(`{"jsonrpc":"2.0","result":{"text":"${'x'.repeat(num(0))}"}}`);
  while (MODE === 'endless') write('x'.repeat(65536));
  if (MODE === 'stderr') writeTo(2, 'y'.repeat(1023) + '\n');
  if (MODE === 'swallow' && name === 'swallow') return;
  if (MODE === 'late' && calls === 1) pause(num(0, 1000));
  if (MODE === 'answer-cancel') return; // see receive
  if (MODE === 'steps') { // steps COUNT MS: progress, COUNT times, MS apart, and then the answer
    const progressToken = params._meta?.progressToken;
    for (let i = 0; i < num(0, 3); i++) {
      pause(num(1, 100));
      send({ method: 'notifications/progress', params: { progressToken, progress: i, message: 'step' } });
    }
  }
  if (MODE === 'half-exit') {
    write(`{"jsonrpc":"2.0","id":${id},"resu`);
    process.exit(5);
  }
  if (MODE === 'no-id-error') return send({ error: { code: -32700, message: 'parse error' } });
  if (MODE === 'null-id-error') return send({ id: null, error: { code: -32700, message: 'parse error' } });
  if (MODE === 'rpc-error') return send(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32602,"message":"bad arguments","data":{"n":9007199254740993}}}`);
  if (MODE === 'bare-error') return reply(id, { error: 'it broke' });
  if (MODE === 'neither') return send({ id });
  if (MODE === 'nan') return send(`{"jsonrpc":"2.0","id":${id},"result":{"value":NaN}}`);
  if (MODE === 'deep') return send(`{"jsonrpc":"2.0","id":${id},"result":{"x":${DEEP}}}`);
  if (MODE === 'odd-bytes') return send(`{"jsonrpc":"2.0","id":${id},"result":{"n":9007199254740993, "f":1.50,"s":"\\ud83d\\ude00<&>","z":{"_meta":{}}}}`);
  if (MODE in ASKS) {
    asked = (answer) => reply(id, { result: text(JSON.stringify(answer)) });
    return send({ id: 'ask-1', method: ASKS[MODE], params: {} });
  }
  if (MODE === 'storm' || MODE === 'grow') {
    if (MODE === 'grow') tools.push('grown' + calls);
    for (let i = 0; i < num(0, 1); i++) {
      if (MODE === 'storm' && i === num(0, 1) - 1) tools.push('last');
      send({ method: 'notifications/tools/list_changed' });
    }
  }
  if (MODE === 'notify') for (let i = 0; i < num(0, 1); i++) send({ method: 'notifications/message', params: { level: 'info', data: i } });
  if (MODE === 'no-newline-exit') {
    write(JSON.stringify({ jsonrpc: '2.0', id, result: text('bye') }));
    process.exit(0);
  }
  if (MODE === 'close-stdout') {
    fs.closeSync(1);
    for (;;) pause(3600e3);
  }
  if (name === 'login_status') return reply(id, { result: text(JSON.stringify({ message: 'Scan it.', ...loginStatus() })) });
  if (name === 'logout') fs.rmSync('auth/session', { force: true });
  reply(id, { result: text(JSON.stringify(sorted(params.arguments))) });
}

let first = true;
function receive(line) {
  trace(line);
  if (MODE === 'echo-stdin') write(line + '\n');
  let message;
  try {
    message = JSON.parse(line);
  } catch (err) {
    if (MODE === 'dies-on-garbage') throw err;
    return;
  }
  if (message === null || typeof message !== 'object' || Array.isArray(message)) return;
  const { method, id, params, ...rest } = message;
  if (first && MODE === 'strict-first' && method !== 'initialize') process.exit(1);
  first = false;
  if (id === 'ask-1' && asked) return asked({ id, ...rest });
  if (method === 'notifications/cancelled' && MODE === 'answer-cancel') {
    send({ id: params.requestId, error: { code: 0, message: 'cancelled' } });
    send({ id: params.requestId, result: text('cancelled') });
  }
  if (method === 'ping' && MODE === 'no-ping') return;
  if (id == null && MODE === 'answers-notifications') send({ id: null, result: {} });
  if (id === undefined || id === null || method === undefined) return;
  if (MODE === 'modern') { // modern HOW: nothing before 2026-07-28; at initialize it ends, or is silent
    if (method === 'initialize') return arg(0) === 'ends' ? process.exit(1) : undefined;
    if (params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== '2026-07-28') return reply(id, { error: { code: -32602, message: 'no version' } });
    if (method === 'server/discover') return reply(id, { result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } } });
  }
  if (method === 'initialize') return initialize(id, params ?? {});
  if (method === 'tools/list') return toolsList(id, params ?? {});
  if (method === 'tools/call') return toolsCall(id, params);
  if (method === 'ping' && MODE !== 'ping-32601') return reply(id, { result: {} });
  reply(id, { error: { code: -32601, message: 'method not found' } });
}

start();
if (MODE === 'qr') tools.push('login_status', 'logout');
require('readline').createInterface({ input: process.stdin }).on('line', receive).on('close', end);
