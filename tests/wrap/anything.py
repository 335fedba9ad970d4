"""A server in plain JSON-RPC that does whatever a server may do; it knows no SDK.

``python anything.py`` speaks over standard input and output.  What a tool is called is what it does.  Words after it
make the server odd: ``no-resources``, ``null-errors`` (beside each result), ``slow-list``, ``stubborn`` (it ends when
it is killed, and has a child that does the same).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]
CAPABILITIES: Json = {
    "tools": {"listChanged": True},
    "prompts": {},
    "completions": {},
    "logging": {},
    "experimental": {"odd": {"kept": True}},
    **({} if "no-resources" in sys.argv else {"resources": {"subscribe": True}}),
}
late: list[str] = []
SCHEMA = {"type": "object", "properties": {"text": {"type": "string", "description": "What to say, word for word."}}}
changed = False
cancelled: list[Any] = []


def send(message: Json) -> None:
    if "result" in message and "null-errors" in sys.argv:
        message = {**message, "error": None}
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def receive() -> Json:
    line = sys.stdin.readline()
    while not line:
        if "stubborn" not in sys.argv:
            raise SystemExit(0)
        time.sleep(60)
    message: Json = json.loads(line)
    return message


def tool(name: str) -> Json:
    described = f"Do what is called {name}. It takes one text and gives it back.\n\nUse it when you want to {name}."
    kept = {
        "annotations": {"title": name.title()},
        "_meta": {"from": "anything"},
        "execution": {"taskSupport": "optional"},
    }
    return {"name": name, "description": described, "inputSchema": SCHEMA, **kept}


def listed(params: Json) -> Json:
    names = [*DOES, *late]
    if params.get("cursor") != "second":
        return {"tools": [tool(name) for name in names[:4]], "nextCursor": "second"}
    return {"tools": [tool(name) for name in names[4:]], "_meta": {"page": 2}}


def text(said: str, **more: Any) -> Json:
    return {"content": [{"type": "text", "text": said}], **more}


def ask(_said: str, _token: object) -> Json:
    send({"id": "s1", "method": "elicitation/create", "params": {"message": "Really?", "requestedSchema": {}}})
    return {"result": text(json.dumps(receive()["result"]))}


def progress(said: str, token: object) -> Json:
    for step in (1, 2):
        send({"method": "notifications/progress", "params": {"progressToken": token, "progress": step}})
    return say(said, token)


def log(said: str, token: object) -> Json:
    send({"method": "notifications/message", "params": {"level": "info", "data": "plain text ☃"}})
    return say(said, token)


def change(said: str, token: object) -> Json:
    late.append("late")
    send({"method": "notifications/tools/list_changed"})
    return say(said, token)


def die(_said: str, _token: object) -> None:
    os._exit(3)


def garbage(said: str, token: object) -> Json:
    sys.stdout.write("this is no message\n{]\n\n42\n")
    return say(said, token)


def close(_said: str, _token: object) -> None:
    os.close(sys.stdout.fileno())
    while sys.stdin.readline():
        pass


def hang(_said: str, _token: object) -> None:
    while receive().get("method") != "notifications/cancelled":
        pass


def deaf(_said: str, _token: object) -> None:
    while True:
        time.sleep(60)


def flood(_said: str, _token: object) -> None:
    while True:
        sys.stdout.write("y" * 1_000_000)


def say(said: str, _token: object) -> Json:
    return {"result": text(said, structuredContent={"said": said}, _meta={"odd": 1})}


DOES: dict[str, Callable[[str, object], Json | None]] = {
    "say": say,
    "fail": lambda _said, _token: {"result": text("no", isError=True)},
    "refuse": lambda _said, _token: {"error": {"code": -32099, "message": "never", "data": {"why": ["many"]}}},
    "huge": lambda _said, _token: {"result": text("x" * 3_000_000)},
    **{does.__name__: does for does in (ask, progress, log, change, die, garbage, close, hang, flood, deaf)},
}


def call(params: Json) -> Json | None:
    """The answer to a call of a tool; None if there is none."""
    token = (params.get("_meta") or {}).get("progressToken")
    return DOES.get(params.get("name", ""), say)(str((params.get("arguments") or {}).get("text", "")), token)


def answer(message: Json) -> Json | None:
    method, params = message["method"], message.get("params") or {}
    if not isinstance(params, dict) or not isinstance(params.get("name", ""), str):
        return {"error": {"code": -32602, "message": "odd parameters"}}
    if method == "initialize":
        info = {"name": "anything", "version": "7", "title": "Anything"}
        about = {"protocolVersion": params["protocolVersion"], "capabilities": CAPABILITIES, "serverInfo": info}
        return {"result": {**about, "instructions": "Say what you want.", "_meta": {"kept": True}}}
    if method == "tools/list":
        time.sleep(2 if "slow-list" in sys.argv and not params.get("cursor") else 0)
        return {"result": listed(params)}
    if method == "tools/call":
        return call(params)
    if method == "resources/list" and "resources" in CAPABILITIES:
        return {"result": {"resources": [{"uri": "file:///a", "name": "a", "odd": 1}]}}
    if method == "resources/read" and params.get("uri") == "file:///a":
        return {"result": {"contents": [{"uri": "file:///a", "text": "A"}]}}
    if method == "ping":
        return {"result": {}}
    if method == "prompts/list":
        return {"result": {"prompts": [{"name": "p", "arguments": [{"name": "x", "odd": True}]}]}}
    if method == "completion/complete":
        return {"result": {"completion": {"values": ["one", "two"]}}}
    if method == "quite/unknown":
        return {"result": {"of": "a later version"}}
    return {"error": {"code": -32601, "message": f"no {method}"}}


def main() -> None:
    sys.stderr.write("anything is ready\n")
    if "stubborn" in sys.argv:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if "child" not in sys.argv:
            subprocess.Popen([sys.executable, __file__, "stubborn", "child"], stdin=subprocess.PIPE)
    while True:
        message = receive()
        if "id" in message and "method" in message:
            given = answer(message)
            if given is not None:
                send({"id": message["id"], **given})
        elif message.get("method") == "notifications/initialized":
            send({"id": "s0", "method": "roots/list"})


if __name__ == "__main__":
    main()
