"""The specification without any SDK, over stdio in both protocol eras, between lines that are no messages.

raw_notes.py [RULE] [noise] [only-handshake] [silent METHOD] [pages] [slow] [acting] [nothing]

A RULE says when a call to a tool is refused that was not fetched: ``enforce`` (the default) in a session that has
listed its tools before, ``strict`` always, ``advise`` and ``open`` never.  The error of a call that is not refused ends
with the definition, but for ``open``.  With ``silent`` one method is never answered; with ``pages`` there is always one
more page of tools, and with ``slow`` every answer takes a while.  With ``acting`` the tools' names say that they act,
with ``nothing`` there are none.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any
from urllib.parse import unquote

URI = "notes:///tool_descriptions"
STUB = {"type": "object", "additionalProperties": True}
FULL = {
    "read_note": ("Read a note, the newest version.", {"id": {"type": "string", "description": "Its id."}}),
    "count_notes": ("Count all notes of a folder.", {"folder": {"type": "string", "description": "Its name."}}),
}
if "acting" in sys.argv:
    FULL = {name.replace("read", "delete").replace("count", "move"): full for name, full in FULL.items()}
if "nothing" in sys.argv:
    FULL = {}
GUIDANCE = (
    f"Step 1: pick a tool from tools/list, which says what it does. Step 2: fetch {URI}?tools=read_note before you "
    "call it: you learn its parameters, and fetching authorizes it for this session. Otherwise the call fails."
)
RULE = next((rule for rule in ("strict", "advise", "open") if rule in sys.argv), "enforce")
SILENT = sys.argv[sys.argv.index("silent") + 1] if "silent" in sys.argv else None
granted: set[str] = set()
answered: list[str] = []


def entry(name: str) -> dict[str, Any]:
    if name not in FULL:
        return {"error": f"Tool '{name}' not found", "available_tools": list(FULL)}
    text, properties = FULL[name]
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"name": name, "description": text, "inputSchema": schema, "examples": [{}], "error_guidance": {"none": 1}}


def read(uri: str) -> dict[str, Any]:
    names = [unquote(name) for name in uri.partition("?tools=")[2].replace("%2C", ",").split(",") if name]
    granted.update(names)
    missing = {
        "code": "MISSING_TOOL_SELECTION",
        "message": "You must specify one or more tool names in the 'tools' parameter.",
        "examples": [f"{URI}?tools=read_note"],
    }
    body = {name: entry(name) for name in names} or {"error": missing}
    return {"contents": [{"uri": uri, "text": json.dumps(body), "mimeType": "application/json"}]}


def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    error = {
        "code": "TOOL_DESCRIPTION_REQUIRED",
        "message": f"Tool '{name}' requires fetching its description before use.",
        "resource_uri": f"{URI}?tools={name}",
    }
    texts = [f"unusable: {arguments}"]
    if name not in granted:
        if RULE == "strict" or (RULE == "enforce" and "tools/list" in answered):
            texts = [json.dumps({"error": error})]
        elif RULE != "open":
            texts.append(json.dumps({name: entry(name)}))
    return {"content": [{"type": "text", "text": text} for text in texts], "isError": True}


def listing(params: dict[str, Any]) -> dict[str, Any]:
    tools = [{"name": name, "description": text.split(",")[0], "inputSchema": STUB} for name, (text, _) in FULL.items()]
    number = int(params.get("cursor", 0)) + 1
    return {"tools": tools, "nextCursor": str(number)} if "pages" in sys.argv else {"tools": tools}


def result_of(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    about = {"capabilities": {"tools": {}, "resources": {}}, "instructions": f"Fetch from {URI}, then call."}
    template = {"uriTemplate": f"{URI}{{?tools}}", "name": "tool_descriptions"}
    resource = {"uri": URI, "name": "Tool Descriptions", "description": GUIDANCE, "mimeType": "application/json"}
    if method == "resources/read":
        return read(params["uri"])
    if method == "tools/call":
        return call(params["name"], params["arguments"])
    if method == "tools/list":
        return listing(params)
    return {
        "initialize": {"protocolVersion": "2025-06-18", "serverInfo": {"name": "raw"}, **about},
        "resources/list": {"resources": [resource]},
        "resources/templates/list": {"resourceTemplates": [template]},
        **({} if "only-handshake" in sys.argv else {"server/discover": {"supportedVersions": ["2026-07-28"], **about}}),
    }.get(method)


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if "noise" in sys.argv:
            sys.stdout.write(f"received {message.get('method')}\n")
        if "id" in message and message["method"] != SILENT:
            result = result_of(message["method"], message.get("params") or {})
            time.sleep(0.1 if "slow" in sys.argv else 0)
            outcome = {"result": result} if result else {"error": {"code": -32601, "message": "unknown method"}}
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **outcome}) + "\n")
            answered.append(message["method"])
        sys.stdout.flush()


if __name__ == "__main__":
    main()
