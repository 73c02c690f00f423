"""Runs the package mcp-server-time, with the time zone that the activation form asked for."""

import contextlib
import os
import sys

# stdout belongs to JSON-RPC: what a package prints while it is imported goes to stderr. Once it runs, the SDK keeps
# stdout to itself. zoneinfo finds its data in the package tzdata, since a sandbox may not show the host's.
with contextlib.redirect_stdout(sys.stderr):
    import asyncio

    from mcp_server_time.server import serve

asyncio.run(serve(os.environ.get("LOCAL_TIMEZONE") or "UTC"))
