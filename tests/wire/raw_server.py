"""A server without any SDK, that behaves as told: noise, requests of its own, pages, junk, silence.

raw_server.py [FILE.json] BEHAVIOUR...

The tools, two on each page, are those of the file, if one is named.  ``env`` lists the setting it was started with as a
description, ``new`` knows no handshake, ``refuses`` no beginning at all.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

BEHAVIOUR = set(sys.argv[1:])
FILE = next((Path(word) for word in sys.argv[1:] if word.endswith(".json")), None)
TOOLS = json.loads(FILE.read_text(encoding="utf-8")) if FILE else [{"name": n, "odd": {"kept": None}} for n in "abcde"]
INFO = {"name": "raw", "version": "7"}


def send(message: Any) -> None:
    sys.stdout.write(json.dumps(message) + ("\r\n" if "crlf" in BEHAVIOUR else "\n"))
    sys.stdout.flush()


def page(start: int) -> dict[str, Any]:
    if "env" in BEHAVIOUR:
        TOOLS[0]["description"] = f"{os.environ.get('PROGRESSIVE_DISCLOSURE')} {os.environ.get('EXTRA')} {Path.cwd()}"
    following = "2" if "endless" in BEHAVIOUR else str(start + 2)
    more = {"nextCursor": following} if len(TOOLS) > int(following) else {}
    return {"tools": TOOLS[start : start + 2], **more}


def receive() -> Any:
    line = sys.stdin.readline()
    if not line:
        if "stubborn" in BEHAVIOUR:
            time.sleep(600)
        raise SystemExit(0)
    return json.loads(line)


def ask(method: str) -> Any:
    """A request of the server's own, and the client's answer to it."""
    send({"jsonrpc": "2.0", "id": f"own-{method}", "method": method})
    while True:
        message = receive()
        if message.get("id") == f"own-{method}":
            return message


def result_of(method: str, params: dict[str, Any]) -> Any:
    if method == "server/discover" and "new" in BEHAVIOUR:
        return {"capabilities": {"tools": {}}, "_meta": {"io.modelcontextprotocol/serverInfo": INFO}}
    if method == "initialize" and not BEHAVIOUR & {"new", "refuses"}:
        asked = {name: ask(name) for name in ("ping", "roots/list", "sampling/createMessage") if "asks" in BEHAVIOUR}
        about = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": INFO}
        return {**about, "asked": asked}
    if method == "tools/list":
        return page(int(params.get("cursor", 0)))
    if method == "tools/call":
        return {"content": [{"type": "text", "text": json.dumps(params)}], "isError": True}
    return None


def answer(message: dict[str, Any]) -> None:
    number, method = message["id"], message["method"]
    if f"slow-{method}" in BEHAVIOUR:
        time.sleep(1)
    if f"dies-at-{method}" in BEHAVIOUR:
        sys.stderr.write("out of luck\n")
        raise SystemExit(7)
    if f"silent-at-{method}" in BEHAVIOUR:
        return
    result = result_of(method, message.get("params") or {})
    if "late" in BEHAVIOUR:
        send({"jsonrpc": "2.0", "id": number - 1, "result": {"of": "an earlier request"}})
    if "list-result" in BEHAVIOUR:
        send({"jsonrpc": "2.0", "id": number, "result": []})
    elif "batch" in BEHAVIOUR:
        send(
            [{"jsonrpc": "2.0", "method": "notifications/message"}, {"jsonrpc": "2.0", "id": number, "result": result}]
        )
    elif result is None:
        send({"jsonrpc": "2.0", "id": number, "error": {"code": -32601, "message": "no", "data": {"why": [1]}}})
    else:
        send({"jsonrpc": "2.0", "id": number, "result": result})


def make_noise() -> None:
    sys.stdout.buffer.write(b'Welcome\n\n\xff\xfe\x00\n{"half": \n[1, 2]\n"text"\n' + b"[" * 100_000 + b"\n")
    sys.stdout.buffer.flush()
    send({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "hello"}})


def main() -> None:
    if "child" in BEHAVIOUR:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        sys.stderr.write(f"child {child.pid}\n")
        sys.stderr.flush()
    if "noisy-stderr" in BEHAVIOUR:
        sys.stderr.write("x" * 200_000 + "\nlast words\n")
        sys.stderr.flush()
    while BEHAVIOUR & {"flood", "flood-without-lines"}:
        os.write(1, b"\x00\x01 junk" * 10_000 + (b"\n" if "flood" in BEHAVIOUR else b""))
    if "noise" in BEHAVIOUR:
        make_noise()
    while True:
        message = receive()
        if "method" in message and "id" in message:
            answer(message)


if __name__ == "__main__":
    if "deaf" in BEHAVIOUR:
        import signal

        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    main()
