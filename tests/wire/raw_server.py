"""A server in plain JSON-RPC that does whatever a server may do; it knows no SDK.

raw_server.py [FILE.json] WORD...

What a tool is called is what it does; with a file, those that it has are listed, and do nothing in particular.  Words
make the server odd: noise, requests of its own, junk, silence.  ``env`` lists the setting it was started with as a
description, ``new`` knows no handshake, ``refuses`` no beginning at all; ``stubborn`` does not end with its input,
``deaf`` not when it is asked to, and ``child`` has a child that is both.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Json = dict[str, Any]
WORDS = set(sys.argv[1:])
FILE = next((Path(word) for word in sys.argv[1:] if word.endswith(".json")), None)
INFO = {"name": "anything", "version": "7", "title": "Anything"}
ABOUT = {"io.modelcontextprotocol/serverInfo": INFO}
CAPABILITIES: Json = {
    "tools": {"listChanged": True},
    "prompts": {},
    "completions": {},
    "logging": {},
    "experimental": {"odd": {"kept": True}},
    **({} if "no-resources" in WORDS else {"resources": {"subscribe": True}}),
}
SCHEMA = {"type": "object", "properties": {"text": {"type": "string", "description": "What to say, word for word."}}}


def send(message: Any) -> None:
    if "null-errors" in WORDS and "result" in message:
        message = {**message, "error": None}
    sys.stdout.write(json.dumps(message) + ("\r\n" if "crlf" in WORDS else "\n"))
    sys.stdout.flush()


def tell(method: str, **more: Any) -> None:
    """A notification, or with an ``id`` a request of the server's own."""
    send({"jsonrpc": "2.0", "method": method, **more})


def receive() -> Json:
    line = sys.stdin.readline()
    while not line:
        if "stubborn" not in WORDS:
            raise SystemExit(0)
        time.sleep(60)
    message: Json = json.loads(line)
    return message


def ask(method: str, **more: Any) -> Json:
    """A request of the server's own, and the client's answer to it."""
    tell(method, id=f"own-{method}", **more)
    while True:
        message = receive()
        if message.get("id") == f"own-{method}":
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
    start = int(params.get("cursor", 0))
    if "env" in WORDS:
        TOOLS[0]["description"] = f"{os.environ.get('PROGRESSIVE_DISCLOSURE')} {os.environ.get('EXTRA')} {Path.cwd()}"
    following = 4 if "endless" in WORDS else start + 4
    more = {"nextCursor": str(following)} if len(TOOLS) > following else {"_meta": {"page": "last"}}
    return {"tools": TOOLS[start : start + 4], **more}


def text(said: str, **more: Any) -> Json:
    return {"content": [{"type": "text", "text": said}], **more}


def elicit(_said: str, _token: object) -> Json:
    answer = ask("elicitation/create", params={"message": "Really?", "requestedSchema": {}})
    return {"result": text(json.dumps(answer["result"]))}


def progress(said: str, token: object) -> Json:
    for step in (1, 2):
        tell("notifications/progress", params={"progressToken": token, "progress": step})
    return say(said, token)


def log(said: str, token: object) -> Json:
    tell("notifications/message", params={"level": "info", "data": "plain text ☃"})
    return say(said, token)


def change(said: str, token: object) -> Json:
    TOOLS.append(tool("late"))
    tell("notifications/tools/list_changed")
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
    "ask": elicit,
    **{does.__name__: does for does in (progress, log, change, die, garbage, close, hang, flood, deaf)},
}
TOOLS: list[Json] = json.loads(FILE.read_text(encoding="utf-8")) if FILE else [tool(name) for name in DOES]


def call(params: Json) -> Json | None:
    """The answer to a call of a tool; None if there is none."""
    token = (params.get("_meta") or {}).get("progressToken")
    return DOES.get(params.get("name", ""), say)(str((params.get("arguments") or {}).get("text", "")), token)


RESULTS: Json = {
    "ping": {},
    "prompts/list": {"prompts": [{"name": "p", "arguments": [{"name": "x", "odd": True}]}]},
    "completion/complete": {"completion": {"values": ["one", "two"]}},
    "quite/unknown": {"of": "a later version"},
    **(
        {}
        if "no-resources" in WORDS
        else {"resources/list": {"resources": [{"uri": "file:///a", "name": "a", "odd": 1}]}}
    ),
    **({"server/discover": {"capabilities": CAPABILITIES, "_meta": ABOUT}} if "new" in WORDS else {}),
}


def answer(method: str, params: Any) -> Json | None:
    if not isinstance(params, dict) or not isinstance(params.get("name", ""), str):
        return {"error": {"code": -32602, "message": "odd parameters"}}
    if method == "initialize" and not WORDS & {"new", "refuses"}:
        asked = {name: ask(name) for name in ("ping", "roots/list", "sampling/createMessage") if "asks" in WORDS}
        about = {"protocolVersion": params["protocolVersion"], "capabilities": CAPABILITIES, "serverInfo": INFO}
        return {"result": {**about, "instructions": "Say what you want.", "_meta": {"kept": True}, "asked": asked}}
    if method == "tools/list":
        return {"result": listed(params)}
    if method == "tools/call":
        return call(params)
    if method == "resources/read" and params.get("uri") == "file:///a":
        return {"result": {"contents": [{"uri": "file:///a", "text": "A"}]}}
    return {"result": RESULTS[method]} if method in RESULTS else {"error": {"code": -32601, "message": f"no {method}"}}


def respond(number: Any, method: str, params: Any) -> None:
    time.sleep(1 if f"slow-{method}" in WORDS else 0)
    if f"dies-at-{method}" in WORDS:
        sys.stderr.write("out of luck\n")
        raise SystemExit(7)
    if f"silent-at-{method}" in WORDS or (given := answer(method, params)) is None:
        return
    if "late" in WORDS:
        send({"jsonrpc": "2.0", "id": number - 1, "result": {"of": "an earlier request"}})
    whole = {"jsonrpc": "2.0", "id": number, **({"result": []} if "list-result" in WORDS else given)}
    send([{"jsonrpc": "2.0", "method": "notifications/message"}, whole] if "batch" in WORDS else whole)


def main() -> None:
    sys.stderr.write("anything is ready\n")
    if "deaf" in WORDS:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "child" in WORDS:
        child = subprocess.Popen([sys.executable, __file__, "stubborn", "deaf"], stdin=subprocess.PIPE)
        sys.stderr.write(f"child {child.pid}\n")
    if "noisy-stderr" in WORDS:
        sys.stderr.write("x" * 200_000 + "\nlast words\n")
    sys.stderr.flush()
    while WORDS & {"flood", "flood-without-lines"}:
        os.write(1, b"\x00\x01 junk" * 10_000 + (b"\n" if "flood" in WORDS else b""))
    if "noise" in WORDS:
        sys.stdout.buffer.write(b'Welcome\n\n\xff\xfe\x00\n{"half": \n[1, 2]\n"text"\n' + b"[" * 100_000 + b"\n")
        sys.stdout.buffer.flush()
        tell("notifications/message", params={"level": "info", "data": "hello"})
    while True:
        message = receive()
        if "id" in message and "method" in message:
            respond(message["id"], message["method"], message.get("params") or {})
        elif message.get("method") == "notifications/initialized" and "new" not in WORDS:
            tell("roots/list", id="s0")


if __name__ == "__main__":
    main()
