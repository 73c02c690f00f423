"""A connector for the scripts beside this file. Its argument says how it behaves."""
import base64
import json
import os
import sys
import time

MODE = sys.argv[1] if len(sys.argv) > 1 else "good"
SCANNED = "auth/session"


def say(text):
    print(text, file=sys.stderr, flush=True)


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def text(value, error=False):
    return {"content": [{"type": "text", "text": value}], "isError": error}


def tool(name, description, /, **properties):
    return {"name": name, "description": description, "inputSchema": {"type": "object", "properties": properties}}


TOOLS = [
    tool("echo", "Gives back what it gets.", text={"type": "string"}),
    tool("environment", "Says what the form gave it.", name={"type": "string"}),
    tool("fail", "Fails."),
    tool("die", "Ends the server."),
]
LINK = [tool("login_status", "Says where signing in stands."), tool("scan", "Scans the code."), tool("logout", "Signs out.")]


def login_status():
    if os.path.exists(SCANNED):
        return {"state": "ready"}
    with open("code.data", "rb") as f:
        picture = base64.b64encode(f.read()).decode()
    return {"state": "need_scan", "qr": "data:image/png;base64," + picture, "message": "scan the code"}


def call(name, arguments):
    if name == "echo":
        return text(arguments.get("text", ""))
    if name == "environment":
        return text(os.environ.get(arguments["name"], "unset"))
    if name == "fail":
        return text("it went wrong", error=True)
    if name == "die":
        say("asked to die")
        os._exit(3)
    if name == "login_status":
        return text(json.dumps(login_status()))
    if name == "scan":
        os.makedirs("auth", exist_ok=True)
        open(SCANNED, "w").close()
        return text("scanned")
    return text("no such tool", error=True)


def answer(method, params):
    if method == "initialize":
        return {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}, "serverInfo": {"name": MODE, "version": "1"}}
    if method == "tools/list":
        return {"tools": TOOLS + (LINK if MODE == "link" else [])}
    if method == "tools/call":
        return call(params["name"], params.get("arguments", {}))
    return {}


def main():
    say(MODE + " begins")
    if MODE == "exits":
        say("no configuration found")
        sys.exit(7)
    if MODE == "silent":
        time.sleep(3600)
    if MODE == "floods":
        for _ in range(2000):
            sys.stderr.write("x" * 4096 + "\n")
    for line in sys.stdin:
        if MODE == "garbage":
            print("DEBUG: got", line[:20], "\x00\x1b[31m{not json}", flush=True)
        message = json.loads(line)
        if "id" in message:
            send({"jsonrpc": "2.0", "id": message["id"], "result": answer(message["method"], message.get("params", {}))})


main()
