"""Start a server and write down what its client sends: ``tap.py LOG COMMAND...``.

Each process of a server is one session over stdio, so the log tells what a framework does in which session.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path


def main(log: Path, command: list[str]) -> int:
    with subprocess.Popen(command, stdin=subprocess.PIPE) as server:
        assert server.stdin is not None
        for line in sys.stdin.buffer:
            with log.open("ab") as file:
                file.write(json.dumps({"session": os.getpid(), "message": json.loads(line)}).encode() + b"\n")
            server.stdin.write(line)
            server.stdin.flush()
        server.stdin.close()
        return server.wait()


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]), sys.argv[2:]))
