"""A model connector in Python without packages: notes, one small file each, in notes/ beside this file.

stdout belongs to JSON-RPC alone: one stray line there and a strict client loses its place. Logs go to stderr.
"""

import datetime
import json
import os
import pathlib
import re
import secrets
import sys

NOTES_DIR = pathlib.Path(__file__).resolve().parent / "notes"
NOTE_ID = re.compile(r"[0-9a-f]{8}")
MAX_TITLE = 200
MAX_TEXT = 64 * 1024
MAX_LISTED = 100  # a model has no use for more at once; search_notes finds the others


class ToolError(Exception):
    """What went wrong, in words for the model. Never a traceback."""


# ---- notes on disk


def note_path(note_id):
    # The id comes from a model and becomes a file name: only our own form may pass, never "../x".
    if not NOTE_ID.fullmatch(note_id):
        raise ToolError(f"cannot find a note: {note_id!r} is not an id; list_notes shows the ids")
    return NOTES_DIR / f"{note_id}.json"


def load(note_id):
    try:
        return json.loads(note_path(note_id).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ToolError(f"cannot find note {note_id}: there is none; list_notes shows the ids") from None


def load_all():
    """All notes, the newest first."""
    notes = [load(path.stem) for path in NOTES_DIR.glob("*.json") if NOTE_ID.fullmatch(path.stem)]
    return sorted(notes, key=lambda note: note["created"], reverse=True)


def save(note):
    """Write beside the file and rename: a crash or a full disk leaves no half note."""
    NOTES_DIR.mkdir(mode=0o700, exist_ok=True)
    path = note_path(note["id"])
    draft = path.with_suffix(".new")
    try:
        with open(draft, "x", encoding="utf-8", opener=lambda p, flags: os.open(p, flags, 0o600)) as file:
            json.dump(note, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def summary(note):
    return f"{note['id']}  {note['created'][:10]}  {note['title']}"


def summaries(notes, none):
    lines = [summary(note) for note in notes[:MAX_LISTED]]
    if len(notes) > MAX_LISTED:
        lines.append(f"… and {len(notes) - MAX_LISTED} older ones; search_notes finds them")
    return "\n".join(lines) or none


# ---- tools: each takes the checked arguments and returns a text


def add_note(title, text=""):
    if not title.strip():
        raise ToolError("cannot add the note: the title is empty")
    if len(title) > MAX_TITLE or len(text) > MAX_TEXT:
        raise ToolError(f"cannot add the note: at most {MAX_TITLE} characters of title and {MAX_TEXT} of text")
    note = {
        "id": secrets.token_hex(4),
        "title": " ".join(title.split()),  # one line, since lists show one line per note
        "text": text,
        "created": datetime.datetime.now(datetime.timezone.utc).isoformat(),
    }
    save(note)
    return f"Added {summary(note)}"


def list_notes():
    return summaries(load_all(), none="No notes yet.")


def search_notes(query):
    wanted = query.casefold()
    found = [note for note in load_all() if wanted in f"{note['title']}\n{note['text']}".casefold()]
    return summaries(found, none=f"No note contains {query!r}.")


def read_note(id):
    note = load(id)
    return f"{note['title']}\n\n{note['text']}"


def delete_note(id):
    note = load(id)
    note_path(id).unlink()
    return f"Deleted {summary(note)}"


def tool(run, title, description, required=(), optional=(), **annotations):
    """A tools/list entry beside the function that answers. Every argument here is a text."""
    arguments = dict(required) | dict(optional)
    return run, {
        "name": run.__name__,
        "title": title,
        "description": description,
        "inputSchema": {
            "type": "object",
            "properties": {name: {"type": "string", "description": about} for name, about in arguments.items()},
            "required": list(dict(required)),
            "additionalProperties": False,
        },
        "annotations": annotations,
    }


NOTE = {"id": "The note's id, as list_notes shows it."}
TOOLS = {
    run.__name__: (run, entry)
    for run, entry in [
        tool(add_note, "Add note", "Keep a new note.", {"title": "One line."}, {"text": "The note itself."}),
        tool(list_notes, "List notes", "The notes, newest first: id, date, title.", readOnlyHint=True),
        tool(search_notes, "Search notes", "The notes that contain a text.", {"query": "Any case."}, readOnlyHint=True),
        tool(read_note, "Read note", "One note in full.", NOTE, readOnlyHint=True),
        tool(delete_note, "Delete note", "Delete one note for good.", NOTE, destructiveHint=True),
    ]
}


def check_arguments(name, schema, arguments):
    """The client should have checked; whoever runs code on what a model wrote checks again."""
    if not isinstance(arguments, dict):
        raise ToolError(f"cannot call {name}: the arguments must be an object")
    for missing in sorted(set(schema["required"]) - set(arguments)):
        raise ToolError(f"cannot call {name}: the argument {missing} is missing")
    for key, value in arguments.items():
        if key not in schema["properties"]:
            raise ToolError(f"cannot call {name}: there is no argument {key}")
        if not isinstance(value, str):
            raise ToolError(f"cannot call {name}: the argument {key} must be a text")


def call_tool(name, arguments):
    """A failed tool is a result with isError, which the model can read and act on; it is no JSON-RPC error."""
    run, entry = TOOLS[name]
    try:
        check_arguments(name, entry["inputSchema"], arguments)
        return {"content": [{"type": "text", "text": run(**arguments)}]}
    except ToolError as err:
        text = str(err)
    except Exception as err:  # a full disk, a damaged file: this call failed, the server lives on
        text = f"{name} failed: {err}"
    print(f"{name}: {text}", file=sys.stderr)
    return {"content": [{"type": "text", "text": text}], "isError": True}


# ---- JSON-RPC


class RPCError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def dispatch(method, params):
    if method == "initialize":
        return {
            "protocolVersion": "2024-11-05",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "notes", "version": "1.0.0"},
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": [entry for _, entry in TOOLS.values()]}
    if method == "tools/call":
        name = params.get("name") if isinstance(params, dict) else None
        if not isinstance(name, str) or name not in TOOLS:
            raise RPCError(-32602, f"unknown tool: {name}")
        return call_tool(name, params.get("arguments") or {})
    raise RPCError(-32601, f"unknown method: {method}")


def answer(line):
    """The reply to one line, or None where none is due: a message without an id is a notification, one without
    a method is a reply to a question that we never ask, and what cannot be read has no id to answer to."""
    try:
        message = json.loads(line)
    except ValueError as err:
        print(f"cannot read a message: {err}", file=sys.stderr)
        return None
    if not isinstance(message, dict) or message.get("id") is None or not isinstance(message.get("method"), str):
        return None
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    try:
        return reply | {"result": dispatch(message["method"], message.get("params"))}
    except RPCError as err:
        return reply | {"error": {"code": err.code, "message": str(err)}}


def main():
    # Bytes, not text: json.dumps writes ASCII and json.loads reads UTF-8, whatever the locale says.
    wire = sys.stdout.buffer
    sys.stdout = sys.stderr  # from here on a forgotten print() is a log line
    for line in sys.stdin.buffer:
        reply = answer(line) if line.strip() else None
        if reply:
            wire.write(json.dumps(reply).encode() + b"\n")
            wire.flush()


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        os._exit(0)  # the client has gone; Python's own exit would complain about the unwritten rest
