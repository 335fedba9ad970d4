"""A server without any SDK that lists what a JSON file holds, in pages of two, and behaves as told.

scripted.py FILE BEHAVIOUR...

``noise`` prints between messages, ``crash`` ends at once, ``hang`` never answers ``tools/list``, ``child`` leaves a
process of its own behind, ``stubborn`` forks twice, heeds no SIGTERM and outlives its input, ``new`` knows no
handshake, ``env`` lists the setting it was started with as a description.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

FILE, *BEHAVIOUR = sys.argv[1:]


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
        start = int(params.get("cursor", 0))
        page = {"tools": listed()[start : start + 2]}
        return {"result": {**page, "nextCursor": str(start + 2)} if len(listed()) > start + 2 else page}
    return {"error": {"code": -32601, "message": f"no {method}"}}


def leave_behind(generations: int) -> None:
    """A process, its child and so on; they share the streams of this one and its way with signals."""
    if os.fork() == 0:
        with Path(FILE).with_name("family").open("a", encoding="utf-8") as family:
            family.write(f"{os.getpid()}\n")
        if generations > 1:
            leave_behind(generations - 1)
        time.sleep(600)
        os._exit(0)


def main() -> None:
    if "crash" in BEHAVIOUR:
        sys.stderr.write("no licence was found\n")
        raise SystemExit(3)
    if "child" in BEHAVIOUR:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        Path(FILE).with_name("child").write_text(str(child.pid), encoding="utf-8")
    if "stubborn" in BEHAVIOUR:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        leave_behind(2)
    for line in sys.stdin:
        message = json.loads(line)
        if "noise" in BEHAVIOUR:
            sys.stdout.write("INFO got a message\n{not json\n\n")
        if "id" in message:
            reply = {"jsonrpc": "2.0", "id": message["id"], **answer(message["method"], message.get("params") or {})}
            sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()
    if "stubborn" in BEHAVIOUR:
        time.sleep(600)


if __name__ == "__main__":
    main()
