"""A server that keeps the contract in every point, and breaks the one that the file `fault` beside it names."""
import json, os, sys

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "fault")) as f:
    FAULT = f.read().strip()
QR = os.environ.get("QR")
PNG = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
paired = False


def send(**message):
    print(json.dumps(dict(jsonrpc="2.0", **message)), flush=True)


def tool(name, **more):
    schema = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    return dict({"name": name, "title": name.title(), "description": "A tool.", "inputSchema": schema}, **more)


def listed():
    tools = [tool("echo"), tool("shout"), tool("wipe", inputSchema={"type": "object"})]
    if FAULT == "no-title":
        del tools[1]["title"]
    if FAULT == "no-description":
        del tools[1]["description"]
    if FAULT == "twice":
        tools.append(tool("echo"))
    if QR:
        names = ["login_status"] if FAULT == "no-logout" else ["login_status", "logout"]
        tools += [tool(name, inputSchema={"type": "object"}) for name in names]
    return tools


def text(said, **more):
    return dict({"content": [{"type": "text", "text": said}]}, **more)


def login_status():
    status = {"state": "ready", "message": "Signed in."} if paired else {"state": "need_scan", "qr": PNG, "message": "Scan it."}
    if FAULT == "login-state":
        status["state"] = "waiting"
    if FAULT == "login-no-qr":
        status.pop("qr")
    if FAULT == "login-no-png":
        status["qr"] = "data:image/png;base64,bm90IGEgcGljdHVyZQ=="
    if FAULT == "login-not-base64":
        status["qr"] = "data:image/png;base64,%%%"
    if FAULT == "login-no-message":
        del status["message"]
    if FAULT == "login-late-qr":
        status = {"state": "connecting", "qr": PNG, "message": ""}
    return text("Not JSON" if FAULT == "login-text" else json.dumps(status))


def called(name, arguments):
    if QR and name in ("login_status", "logout"):
        return login_status() if name == "login_status" else text("Out.")
    if name not in ("echo", "shout", "wipe"):
        return text("ok") if FAULT == "any-tool" else text("There is no tool " + name, isError=True)
    if name == "wipe":
        os._exit(8)  # every call of it is valid, and nobody asked for one
    if "text" not in arguments and not (FAULT == "lax" and name == "shout"):
        return text("text is missing", isError=True)
    if FAULT == "no-content":
        return {"text": "x"}
    if FAULT == "no-type":
        return {"content": [{"text": "x"}]}
    if FAULT == "no-text":
        return {"content": [{"type": "text"}]}
    if FAULT == "says-secret":
        return text("the key is " + os.environ.get("KEY", ""), isError=True)
    return text(arguments.get("text", json.dumps({"status": "error"})))


def answer(method, params, id):
    if method == "initialize":
        name = "" if FAULT == "no-name" else "strict"
        return {"protocolVersion": "2024-11-05", "capabilities": {} if FAULT == "no-capability" else {"tools": {}},
                "serverInfo": {"name": name, "version": "1"}}
    if method == "ping":
        if FAULT == "ping-params":
            params.get("x")
        return {"pong": True} if FAULT == "pong" else {}
    if method == "tools/list":
        return {"tools": listed()}
    if method == "tools/call":
        if FAULT == "dies" and params["name"] == "echo" and "text" not in params["arguments"]:
            os._exit(9)
        return called(params["name"], params["arguments"])
    if FAULT == "knows-all":
        return {}
    return None


def handle(line):
    try:
        message = json.loads(line)
    except ValueError:
        if FAULT == "dies-on-garbage":
            os._exit(1)
        return
    if not isinstance(message, dict):
        if FAULT == "dies-on-null":
            message["id"]
        return
    id, method = message.get("id"), message.get("method")
    if FAULT == "late-answer" and method == "notifications/initialized":
        return print("initialized", flush=True)
    if "id" not in message or FAULT == "zero" and not id:
        if FAULT == "answers-notifications":
            send(id=None, error={"code": -32600, "message": "no id"})
        return
    if FAULT == "absolute" and isinstance(id, int):
        id = abs(id)
    if FAULT == "short-ids" and isinstance(id, str):
        id = id[:16]
    if method == "tools/call" and FAULT == "rpc-error" and "text" not in message["params"]["arguments"]:
        return send(id=id, error={"code": -32000, "message": "text is missing"})
    if method == "tools/call" and FAULT == "invalid-params" and "text" not in message["params"]["arguments"]:
        return send(id=id, error={"code": -32602, "message": "text is missing"})
    result = answer(method, message.get("params") if FAULT == "ping-params" else message.get("params") or {}, id)
    if result is None:
        return send(id=id, error={"code": 1 if FAULT == "odd-code" else -32601, "message": "no such method"})
    send(id=id, result=result)


while True:
    line = sys.stdin.buffer.readline()
    if not line:
        break
    if FAULT == "short-lines" and len(line) > 65536:
        os._exit(1)
    handle(line)
sys.exit(4 if FAULT == "exit-4" else 0)
