"""What real SDKs send: small servers, each started in the environment of its SDK and asked for its tools over stdio."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.environments import USED, environment

_LATE = ("fastmcp.cli", "fastmcp.server.middleware.tool_injection", "rich._emoji_codes", "unittest.mock")
"""What cases import beside what other servers use."""
_RUN = """
import anyio
from app import server
from mcp.server.stdio import stdio_server

async def main():
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

anyio.run(main)
"""


def low_level(source: str) -> dict[str, object]:
    """The case of a module that makes the low-level server ``server`` and does not run it."""
    return {"files": {"app.py": source, "run.py": _RUN}, "start": ["run.py"]}


def sent(pins: tuple[str, ...], cases: Mapping[str, object], *, fresh: bool = False) -> dict[str, Any]:
    """What each case is answered: its tools, or as a text why there are none.

    A case is ``{"files": {path: text}, "start": arguments}``.  With ``fresh``, each imports fastmcp itself.
    """
    preloaded = [name for name in (*USED, *_LATE) if not (fresh and name.startswith(("docket", "fastmcp")))]
    command = [str(environment(pins)), str(Path(__file__).with_name("wire.py")), *preloaded]
    done = subprocess.run(command, input=json.dumps(cases), capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr
    answers: dict[str, Any] = json.loads(done.stdout)
    return answers
