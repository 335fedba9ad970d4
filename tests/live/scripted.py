"""A server without any SDK that lists what a JSON file holds, in pages of two, and behaves as told.

scripted.py FILE BEHAVIOUR...

``crash`` ends at once, ``flood`` prints without end, ``hang`` never answers ``tools/list``, ``key`` refuses it,
``pages`` always has one more page, ``whole`` sends what the file holds as it is, ``new`` knows no handshake, ``env``
lists the setting it was started with as a description.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

FILE, *BEHAVIOUR = sys.argv[1:]
WHOLE = "the listing goes here"
"""Listings that are no JSON, or deeper than the encoder goes, are put in as text."""


def listed() -> list[Any]:
    tools: list[Any] = json.loads(Path(FILE).read_text(encoding="utf-8"))
    if "env" in BEHAVIOUR:
        tools[0]["description"] = f"{os.environ.get('PROGRESSIVE_DISCLOSURE')} {os.environ.get('EXTRA')} {Path.cwd()}"
    return tools


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    info = {"name": "scripted", "version": "7"}
    if method == "initialize" and "new" not in BEHAVIOUR:
        about = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
        return {"result": about}
    if method == "server/discover" and "new" in BEHAVIOUR:
        return {"result": {"capabilities": {"tools": {}}, "_meta": {"io.modelcontextprotocol/serverInfo": info}}}
    if method == "tools/list":
        if "hang" in BEHAVIOUR:
            time.sleep(600)
        if "key" in BEHAVIOUR:
            return {"error": {"code": -32000, "message": "set NOTES_KEY to a key of your account"}}
        start = int(params.get("cursor", 0))
        page = {"tools": WHOLE if "whole" in BEHAVIOUR else listed()[start : start + 2]}
        more = "pages" in BEHAVIOUR or ("whole" not in BEHAVIOUR and len(listed()) > start + 2)
        return {"result": {**page, "nextCursor": str(start + 2)} if more else page}
    return {"error": {"code": -32601, "message": f"no {method}"}}


def main() -> None:
    if "crash" in BEHAVIOUR:
        sys.stderr.write("no licence was found\n")
        raise SystemExit(3)
    while "flood" in BEHAVIOUR:
        sys.stdout.write("x" * 65536)
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            reply = {"jsonrpc": "2.0", "id": message["id"], **answer(message["method"], message.get("params") or {})}
            text = json.dumps(reply)
            if "whole" in BEHAVIOUR:
                text = text.replace(f'"{WHOLE}"', Path(FILE).read_text(encoding="utf-8"))
            sys.stdout.write(text + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
