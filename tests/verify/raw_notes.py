"""The specification without any SDK, over stdio in both protocol eras, between lines that are no messages.

raw_notes.py [noise] [only-handshake]
"""

from __future__ import annotations

import json
import sys
from typing import Any
from urllib.parse import unquote

URI = "notes:///tool_descriptions"
STUB = {"type": "object", "additionalProperties": True}
FULL = {
    "read_note": ("Read a note, the newest version.", {"id": {"type": "string", "description": "Its id."}}),
    "count_notes": ("Count all notes of a folder.", {"folder": {"type": "string", "description": "Its name."}}),
}
GUIDANCE = (
    f"Step 1: pick a tool from tools/list, which says what it does. Step 2: fetch {URI}?tools=read_note before you "
    "call it: you learn its parameters, and fetching authorizes it for this session. Otherwise the call fails."
)
granted: set[str] = set()


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
    text = f"unusable: {arguments}" if name in granted else json.dumps({"error": error})
    return {"content": [{"type": "text", "text": text}], "isError": True}


def result_of(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    about = {"capabilities": {"tools": {}, "resources": {}}, "instructions": f"Fetch from {URI}, then call."}
    resource = {"uri": URI, "name": "Tool Descriptions", "description": GUIDANCE, "mimeType": "application/json"}
    if method == "resources/read":
        return read(params["uri"])
    if method == "tools/call":
        return call(params["name"], params["arguments"])
    return {
        "initialize": {"protocolVersion": "2025-06-18", "serverInfo": {"name": "raw"}, **about},
        "tools/list": {"tools": [{"name": name, "description": name, "inputSchema": STUB} for name in FULL]},
        "resources/list": {"resources": [resource]},
        **({} if "only-handshake" in sys.argv else {"server/discover": {"supportedVersions": ["2026-07-28"], **about}}),
    }.get(method)


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if "noise" in sys.argv:
            sys.stdout.write(f"received {message.get('method')}\n")
        if "id" in message:
            result = result_of(message["method"], message.get("params") or {})
            outcome = {"result": result} if result else {"error": {"code": -32601, "message": "unknown method"}}
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **outcome}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
