"""A server of the standard library that misbehaves in the way its first argument says."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

WAY = sys.argv[1]
TOOL = {"name": "find", "description": "Find notes.", "inputSchema": {"type": "object", "properties": {}}}


DEEP = "a schema goes here"
"""Written as text: the encoder of JSON does not go as deep as a server in another language may."""


def deep(levels: int) -> str:
    return '{"type":"object","properties":{"inner":' * levels + "{}" + "}}" * levels


LISTED: dict[str, list[Any]] = {
    "nameless": [{"description": "no name"}],
    "no objects": ["find", 3],
    "odd fields": [{"name": "find", "description": 3, "inputSchema": ["object"]}],
    "deep": [{**TOOL, "inputSchema": DEEP}],
    "too deep": [{**TOOL, "inputSchema": DEEP}],
    "twice": [TOOL, TOOL],
    "halves": [{**TOOL, "name": "\ud800", "description": "\udfff find."}],
    "commands": [{**TOOL, "name": "\x1b[2J::error::x\n##[group]", "description": "::warning::y\n" * 300}],
}


def answer(request: dict[str, Any], page: int) -> dict[str, Any]:
    if request["method"] == "initialize":
        agreed = request["params"]["protocolVersion"]
        return {"result": {"protocolVersion": agreed, "capabilities": {}, "serverInfo": {"name": WAY, "version": "1"}}}
    if WAY == "key":
        return {"error": {"code": -32000, "message": "set NOTES_KEY to a key of your account"}}
    if WAY == "hangs":
        time.sleep(120)
    if WAY == "crashes":
        sys.exit("Traceback: no database at notes.db")
    if WAY == "pages":
        return {"result": {"tools": [TOOL], "nextCursor": str(page)}}
    return {"result": {"tools": LISTED[WAY]}}


def main() -> None:
    if WAY == "flood":
        while True:
            sys.stdout.write("x" * 65536)
    for page, line in enumerate(sys.stdin):
        request = json.loads(line)
        if "id" in request:
            text = json.dumps({"jsonrpc": "2.0", "id": request["id"], **answer(request, page)})
            sys.stdout.write(text.replace(f'"{DEEP}"', deep(40 if WAY == "deep" else 20_000)) + "\n")
            sys.stdout.flush()


main()
