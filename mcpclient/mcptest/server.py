"""A scripted MCP connector for tests. Its twin is index.js: the same modes.

FAKE_MODE (or the file `mode` beside this one) chooses the behaviour, FAKE_TRACE names a file that
every line received is appended to.
"""
import json, os, signal, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
try:
    with open(os.path.join(HERE, "mode")) as f:
        default_mode = f.read()
except OSError:
    default_mode = "good"
MODE, *ARGS = os.environ.get("FAKE_MODE", default_mode).split()
TRACE = os.environ.get("FAKE_TRACE")
DEEP = "[" * 10001 + "]" * 10001

tools = ["echo"]
calls = 0
logins = 0


def arg(i, default=""):
    return ARGS[i] if len(ARGS) > i else default


def num(i, default=0):
    return int(arg(i, default))


def trace(text):
    if TRACE:
        with open(TRACE, "a") as f:
            f.write("%.6f %s\n" % (time.time(), text))


def compact(value, **how):
    return json.dumps(value, separators=(",", ":"), **how)


def write(text):
    data = text.encode()
    while data:
        data = data[os.write(1, data):]


def send(message):
    """Writes one message, framed as the mode wants it."""
    text = message if isinstance(message, str) else compact(dict(jsonrpc="2.0", **message))
    if MODE == "garbage-then-good":
        write('{"jsonrpc":\n')
    if MODE == "dump":
        write("{\n  message: 'x',\n}\n{}\n[1]\n" + '{"level":"info","msg":"x"}\n')
    if MODE == "prefix":
        text = "INFO sending " + text
    if MODE == "batch":
        text = "[" + text + "]"
    if MODE == "lsp":
        return write("Content-Length: %d\r\n\r\n%s" % (len(text), text))
    write(text + ("\r\n\r\n" if MODE == "crlf" else "\n"))


def reply(id, **what):
    if MODE == "string-ids":
        id = str(id)
    if MODE == "own-ids":
        id = 1
    if MODE == "float-ids":
        id = float(id)
    send(dict(id=id, **what))
    if MODE == "duplicate":
        send(dict(id=id, **what))
        send(dict(id=999999, **what))


def text(s):
    return {"content": [{"type": "text", "text": s}]}


def die(point):
    """exit CODE POINT and signal NUMBER POINT"""
    if MODE == "exit" and arg(1, "start") == point:
        sys.stderr.write("last words: exit %s at %s\n" % (arg(0), point))
        sys.stderr.flush()
        os._exit(num(0))
    if MODE == "signal" and arg(1, "start") == point:
        os.kill(os.getpid(), num(0))


def start():
    die("start")
    if MODE == "banner":
        write("Fake server 1.0\n*** ready \U0001F680 ***\n\nlistening\n")
    if MODE == "bom":
        write("\ufeff")
    if MODE == "stderr":
        for _ in range(num(0, 262144) // 64):
            sys.stderr.write("x" * 63 + "\n")
        sys.stderr.flush()
    if MODE == "progress":
        for i in range(5 * 1024 * 1024 // 32):
            sys.stderr.write("%30d%%\r" % i)
        sys.stderr.flush()
    if MODE == "ignore-term":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if MODE in ("fork", "setsid"):
        child = subprocess.Popen(["sleep", "300"], start_new_session=MODE == "setsid")
        trace("child %d" % child.pid)


def end():
    """The input has ended."""
    while MODE == "spin-on-eof":
        pass
    while MODE == "ignore-term":
        time.sleep(3600)


def initialize(id, params):
    die("initialize")
    if MODE == "never-init":
        return
    if MODE == "demands" and params["protocolVersion"] != arg(0):
        return reply(id, error={"code": -32602, "message": "Unsupported protocol version",
                                "data": {"supported": ["1999-01-01", arg(0)], "requested": params["protocolVersion"]}})
    if MODE == "slow-init":
        time.sleep(num(0, 1000) / 1000)
    result = {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}},
              "serverInfo": {"name": "fake", "version": "1.0"}}
    if MODE == "version":
        result["protocolVersion"] = arg(0)
    if MODE == "no-version":
        del result["protocolVersion"]
    if MODE == "echo-version":
        result["protocolVersion"] = params["protocolVersion"]
    reply(id, result=result)
    if MODE == "midlog":
        write("handshake done\n")
    while MODE == "deaf":
        time.sleep(3600)


def tool(name):
    return {"name": name, "description": "A tool.", "inputSchema": {"type": "object"}, "x-extra": 9007199254740993}


def tools_list(id, params):
    die("list")
    if MODE == "no-list":
        return reply(id, error={"code": -32601, "message": "method not found"})
    if MODE == "null-lists":
        return reply(id, result={"tools": None, "nextCursor": None})
    if MODE == "paged":  # paged TOTAL SIZE
        at = int(params.get("cursor", "0"))
        upto = min(at + num(1, 8), num(0, 14))
        result = {"tools": [tool("tool%d" % i) for i in range(at, upto)]}
        if upto < num(0, 14):
            result["nextCursor"] = str(upto)
        return reply(id, result=result)
    if MODE == "paged-stuck":
        return reply(id, result={"tools": [], "nextCursor": "same"})
    if MODE == "paged-forever":
        at = int(params.get("cursor", "0"))
        return reply(id, result={"tools": [tool("tool%d" % at)], "nextCursor": str(at + 1)})
    listed = [tool(name) for name in tools]
    if MODE == "bare-list":
        return reply(id, result=listed)
    if MODE == "schemas":
        for i, schema in enumerate([True, [], "x", {"$ref": "file:///etc/passwd"}, {"$ref": "#/$defs/a", "$defs": {"a": {}}},
                                    {"description": "x" * 70000}, {"properties": {"$ref": {"type": "string"}}}, None]):
            listed.append(dict(tool("odd%d" % i), inputSchema=schema))
        listed += [{"description": "no name"}, 7, dict(tool("echo"), description="Another.")]
    if MODE == "close-stdin":  # only here: node does not let go of its input
        os.close(0)
    reply(id, result={"tools": listed})
    while MODE == "close-stdin":
        time.sleep(3600)


def login_status():
    """Walks connecting, need_scan, ready; the session is a file in ./auth."""
    global logins
    session = os.path.join("auth", "session")
    if os.path.exists(session):
        return {"state": "ready"}
    logins += 1
    if logins <= 1:
        return {"state": "connecting"}
    if logins <= num(0, 3):
        png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        return {"state": "need_scan", "qr": "data:image/png;base64," + png}
    os.makedirs("auth", exist_ok=True)
    with open(session, "w") as f:
        f.write("paired")
    return {"state": "ready"}


def ask(method, params):
    """Sends a request of the server's own and returns the answer as text."""
    send({"id": "ask-1", "method": method, "params": params})
    for line in sys.stdin:
        trace(line.rstrip("\n"))
        message = json.loads(line)
        if message.get("id") == "ask-1":
            return json.dumps(message)


ASKS = {"ask-ping": "ping", "ask-roots": "roots/list", "ask-sampling": "sampling/createMessage",
        "ask-elicit": "elicitation/create", "ask-unknown": "no/such"}


def tools_call(id, params):
    global calls
    calls += 1
    die("call")
    name, args = params["name"], params["arguments"]
    if MODE == "midlog":
        write("calling %s\n" % name)
    if MODE == "big":
        return reply(id, result=text("x" * num(0)))
    if MODE == "big-id-last":
        return send('{"result":{"text":"%s"},"jsonrpc":"2.0","id":%d}' % ("x" * num(0), id))
    if MODE == "big-no-id":
        return send('{"jsonrpc":"2.0","result":{"text":"%s"}}' % ("x" * num(0)))
    if MODE == "endless":
        while True:
            write("x" * 65536)
    if MODE == "stderr":
        sys.stderr.write("y" * 1023 + "\n")
        sys.stderr.flush()
    if MODE == "swallow" and name == "swallow":
        return
    if MODE == "late" and calls == 1:
        time.sleep(num(0, 1000) / 1000)
    if MODE == "answer-cancel":
        return  # see main
    if MODE == "steps":  # steps COUNT MS: progress, COUNT times, MS apart, and then the answer
        token = params.get("_meta", {}).get("progressToken")
        for i in range(num(0, 3)):
            time.sleep(num(1, 100) / 1000)
            send({"method": "notifications/progress", "params": {"progressToken": token, "progress": i, "message": "step"}})
    if MODE == "half-exit":
        write('{"jsonrpc":"2.0","id":%d,"resu' % id)
        os._exit(5)
    if MODE == "no-id-error":
        return send({"error": {"code": -32700, "message": "parse error"}})
    if MODE == "null-id-error":
        return send({"id": None, "error": {"code": -32700, "message": "parse error"}})
    if MODE == "rpc-error":
        return reply(id, error={"code": -32602, "message": "bad arguments", "data": {"n": 9007199254740993}})
    if MODE == "bare-error":
        return reply(id, error="it broke")
    if MODE == "neither":
        return send({"id": id})
    if MODE == "nan":
        return reply(id, result={"value": float("nan")})
    if MODE == "deep":
        return send('{"jsonrpc":"2.0","id":%d,"result":{"x":%s}}' % (id, DEEP))
    if MODE == "odd-bytes":
        return send('{"jsonrpc":"2.0","id":%d,"result":{"n":9007199254740993, "f":1.50,"s":"\\ud83d\\ude00<&>","z":{"_meta":{}}}}' % id)
    if MODE in ASKS:
        return reply(id, result=text(ask(ASKS[MODE], {})))
    if MODE in ("storm", "grow"):
        if MODE == "grow":
            tools.append("grown%d" % calls)
        for i in range(num(0, 1)):
            if MODE == "storm" and i == num(0, 1) - 1:
                tools.append("last")
            send({"method": "notifications/tools/list_changed"})
    if MODE == "notify":
        for i in range(num(0, 1)):
            send({"method": "notifications/message", "params": {"level": "info", "data": i}})
    if MODE == "no-newline-exit":
        write(compact({"jsonrpc": "2.0", "id": id, "result": text("bye")}))
        os._exit(0)
    if MODE == "close-stdout":
        os.close(1)
        time.sleep(3600)
    if name == "login_status":
        return reply(id, result=text(json.dumps(dict(message="Scan it.", **login_status()))))
    if name == "logout":
        os.path.exists(os.path.join("auth", "session")) and os.remove(os.path.join("auth", "session"))
    reply(id, result=text(compact(args, sort_keys=True)))


def main():
    start()
    if MODE == "qr":
        tools.extend(["login_status", "logout"])
    first = True
    for line in iter(sys.stdin.readline, ""):
        trace(line.rstrip("\n"))
        if MODE == "echo-stdin":
            write(line)
        try:
            message = json.loads(line)
        except ValueError:
            if MODE == "dies-on-garbage":
                raise
            continue
        if not isinstance(message, dict):
            continue
        method, id, params = message.get("method"), message.get("id"), message.get("params") or {}
        if first and MODE == "strict-first" and method != "initialize":
            os._exit(1)
        first = False
        if method == "notifications/cancelled" and MODE == "answer-cancel":
            send({"id": params["requestId"], "error": {"code": 0, "message": "cancelled"}})
            send({"id": params["requestId"], "result": text("cancelled")})
        if method == "ping" and MODE == "no-ping":
            continue
        if id is None and MODE == "answers-notifications":
            send({"id": None, "result": {}})
        if id is None or method is None:
            continue
        if MODE == "modern":  # modern HOW: nothing before 2026-07-28; at initialize it ends, or is silent
            if method == "initialize":
                if arg(0) == "ends":
                    os._exit(1)
                continue
            if params.get("_meta", {}).get("io.modelcontextprotocol/protocolVersion") != "2026-07-28":
                reply(id, error={"code": -32602, "message": "no version"})
                continue
            if method == "server/discover":
                reply(id, result={"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}})
                continue
        if method == "initialize":
            initialize(id, params)
        elif method == "tools/list":
            tools_list(id, params)
        elif method == "tools/call":
            tools_call(id, params)
        elif method == "ping" and MODE != "ping-32601":
            reply(id, result={})
        else:
            reply(id, error={"code": -32601, "message": "method not found"})
    end()


main()
