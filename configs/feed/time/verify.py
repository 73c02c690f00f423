"""Checks the activation form: one JSON object on stdout and nothing else."""

import json
import os
import zoneinfo

name = os.environ.get("LOCAL_TIMEZONE") or "UTC"
if name in zoneinfo.available_timezones():
    print(json.dumps({"ok": True, "message": f"Local time is that of {name}."}))
else:
    print(json.dumps({"ok": False, "message": f"{name!r} is no IANA time zone; an example is Europe/Rome."}))
