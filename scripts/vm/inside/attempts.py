"""Has a connector of ann's make attempts, and prints what held each.
Usage: attempts.py CONNECTOR PATTERN… Exit code 1 when one succeeded, or a pattern is that of none."""
import glob
import json
import os
import subprocess
import sys

connector, patterns = sys.argv[1], sys.argv[2:]


def attempt(script):
    """How the script ended, and what it said; where the connector ended with it, what the call was answered."""
    arguments = json.dumps({"script": script, "targets": {}})
    done = subprocess.run(["majordomo", "call", f"mcp__{connector}__attempt", arguments, "--member", "ann"], capture_output=True, text=True)
    if done.returncode:
        return 1, done.stderr
    ended = json.loads(done.stdout)
    return ended["code"], ended["said"]


def head(path):
    """What the script tries, in words, and which layers hold it."""
    with open(path) as file:
        lines = [line.lstrip("#/ ").strip() for line in file if line.startswith(("#", "//"))]
    return lines[0], next((line.removeprefix("held by: ") for line in lines if line.startswith("held by: ")), "")


succeeded, made = 0, 0
for pattern in patterns:
    paths = sorted(p for p in glob.glob(f"feed/{connector}/attempts/{pattern}") if os.path.basename(p) != "attack.py")
    if not paths:
        sys.exit("no attempt is called " + pattern)
    for path in paths:
        tries, layers = head(path)
        code, said = attempt(os.path.basename(path))
        words = (said.strip().splitlines() or [f"exit code {code}"])[-1]
        print(f"      {'held' if code else 'SUCCEEDED':9}  {tries:50.50}  {layers:24.24}  {words:.80}", flush=True)
        made, succeeded = made + 1, succeeded + (code == 0)
print(f"      {made} attempts, {succeeded} succeeded")
sys.exit(succeeded > 0)
