"""Run in an environment with a real SDK: what each of many small servers lists.

Reads ``{"name": {"file": "source", ...}, ...}`` from standard input; every case has a ``server.py`` whose ``mcp`` is
the server.  Writes ``{"name": [tool, ...]}``, or the error as a text.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")


async def listed(server: Any) -> list[Any]:
    """The tools as they are on the wire."""
    low = getattr(server, "_lowlevel_server", None) or server._mcp_server
    try:
        from mcp.types import ListToolsRequest

        handlers = low.request_handlers
    except (ImportError, AttributeError):
        return await _listed_by_client(server)
    result = await handlers[ListToolsRequest](ListToolsRequest(method="tools/list"))
    return list(result.root.tools)


async def _listed_by_client(server: Any) -> list[Any]:
    if any(base.__module__.startswith("mcp.") for base in type(server).__mro__):
        from mcp.client import Client

        async with Client(server) as client:
            return list((await client.list_tools()).tools)
    from fastmcp import Client as FastClient

    async with FastClient(server) as client:
        return list(await client.list_tools())


def _is_below(folder: str, module: Any) -> bool:
    """Whether a module is of the case itself: libraries stay, for to import them takes longer than a case."""
    places = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
    return any(str(place).startswith(folder) for place in places)


def main() -> None:
    cases = json.load(sys.stdin)
    answers: dict[str, Any] = {}
    for name, files in cases.items():
        with tempfile.TemporaryDirectory() as folder:
            for path, source in files.items():
                (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
                (Path(folder) / path).write_text(source, encoding="utf-8")
            before = set(sys.modules)
            sys.path.insert(0, folder)
            try:
                importlib.invalidate_caches()
                tools = asyncio.run(listed(importlib.import_module("server").mcp))
                answers[name] = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
            except Exception as error:  # noqa: BLE001 - whatever the SDK says about a case is the answer
                answers[name] = f"{type(error).__name__}: {error}"
            finally:
                sys.path.remove(folder)
                for module in set(sys.modules) - before:
                    if _is_below(folder, sys.modules[module]):
                        del sys.modules[module]
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
