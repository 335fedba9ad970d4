"""What real SDKs send: small servers, each started in the environment of its SDK and asked for its tools over stdio."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pdmigrate.live.asking import ask
from pdmigrate.live.wire import StdioTarget, WireError
from tests.runtime.nurseries import LATE, planted
from tests.support.environments import USED
from tests.support.files import write

RUN = """
import anyio
from app import server
from mcp.server.stdio import stdio_server

async def main():
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

anyio.run(main)
"""


def low_level(source: str) -> dict[str, Any]:
    """The case of a module that makes the low-level server ``server`` and does not run it."""
    return {"files": {"app.py": source, "run.py": RUN}, "start": ["run.py"]}


def sent(pins: tuple[str, ...], cases: Mapping[str, Any], *, fresh: bool = False) -> dict[str, Any]:
    """What each case is answered: its tools, or as a text why there are none.

    A case is ``{"files": {path: text}, "start": arguments}``.  With ``fresh``, each imports fastmcp itself.
    """
    imported = tuple(name for name in (*USED, *LATE) if not (fresh and name.startswith(("docket", "fastmcp"))))
    planted(pins, modules=imported)  # the nursery is there before several ask for it

    def answer(case: Mapping[str, Any]) -> Any:
        start = ("-m", "fastmcp.cli", *case["start"][1:]) if case["start"][0] == "fastmcp" else case["start"]
        with TemporaryDirectory() as folder:
            root = write(Path(folder), case["files"])
            try:
                return [*ask(StdioTarget(planted(pins, *start, modules=imported), cwd=root), timeout=60).tools]
            except WireError as error:
                return error.message

    with ThreadPoolExecutor(4) as pool:
        return dict(zip(cases, pool.map(answer, cases.values()), strict=True))
