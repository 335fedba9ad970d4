"""Many short sessions with one server, one after the other in this process: ``brief.py FOLDER COUNT TOOL`` prints JSON.

Run with the interpreter of an environment of mcp 1.x or 2.x.  Every session lists the tools.  Half of them fetch the
description of one tool and call it; the other half call it without, and have to be refused: any that is not has a grant
that is somebody else's.  Session objects die with their session, so that the next one stands at an address where one
that had fetched stood before.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import logging
import random
import sys
import time
from pathlib import Path
from typing import Any

import anyio
from mcp import types
from mcp.server import session as sessions
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage

REFUSED = "TOOL_DESCRIPTION_REQUIRED"
BORN: list[int] = []
"""The addresses of the sessions, in order."""


def watch() -> None:
    """Note the address of every session of the SDK: what this measures with, and nothing that the server sees."""
    made = sessions.ServerSession.__init__

    def noting(self: Any, *arguments: Any, **keywords: Any) -> None:
        BORN.append(id(self))
        made(self, *arguments, **keywords)

    sessions.ServerSession.__init__ = noting  # type: ignore[method-assign]


def load(folder: Path) -> Any:
    sys.path.insert(0, str(folder))
    spec = importlib.util.spec_from_file_location("server", folder / "server.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["server"] = module
    spec.loader.exec_module(module)
    return module.server


def message(content: dict[str, Any]) -> SessionMessage:
    """A message as each major of the SDK wraps it."""
    if hasattr(types, "JSONRPCMessage") and hasattr(types.JSONRPCMessage, "model_validate"):
        return SessionMessage(types.JSONRPCMessage.model_validate(content))
    kind = types.JSONRPCRequest if "id" in content else types.JSONRPCNotification
    return SessionMessage(kind.model_validate(content))


async def converse(server: Any, tool: str, *, fetches: bool) -> str:
    """One session, raw: the text of the answer to its call."""
    async with (
        create_client_server_memory_streams() as ((read, write), (server_read, server_write)),
        anyio.create_task_group() as group,
    ):
        group.start_soon(server.run, server_read, server_write, server.create_initialization_options())

        async def ask(number: int, method: str, **params: Any) -> str:
            await write.send(message({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
            while True:
                answer = (await read.receive()).message.model_dump(by_alias=True, mode="json", exclude_none=True)
                if answer.get("id") == number:
                    return json.dumps(answer)

        client = {"name": "brief", "version": "1"}
        await ask(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
        await write.send(message({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        await ask(2, "tools/list")
        if fetches:
            await ask(3, "resources/read", uri=f"resource:///tool_descriptions?tools={tool}")
        said = await ask(4, "tools/call", name=tool, arguments={})
        group.cancel_scope.cancel()
    return said


def resident() -> int:
    """The memory of this process, in kB."""
    words = Path("/proc/self/status").read_text(encoding="utf-8").split()
    return int(words[words.index("VmRSS:") + 1])


async def main(folder: Path, count: int, tool: str) -> dict[str, Any]:
    watch()
    server = load(folder)
    logging.disable(logging.CRITICAL)
    draw = random.Random(0)
    false_grants = false_refusals = inherited = 0
    had_fetched: set[int] = set()
    memory: list[int] = []
    started = time.monotonic()
    for number in range(count):
        fetches = draw.random() < 0.5
        said = await converse(server, tool, fetches=fetches)
        false_grants += not fetches and REFUSED not in said
        false_refusals += fetches and REFUSED in said
        address = BORN.pop()
        BORN.clear()
        if fetches:
            had_fetched.add(address)
        else:
            inherited += address in had_fetched
        if number % max(count // 20, 1) == 0:
            gc.collect()
            memory.append(resident())
    return {
        "sessions": count,
        "false grants": false_grants,
        "false refusals": false_refusals,
        "refused at an address where one had fetched": inherited,
        "memory kB": memory,
        "seconds": round(time.monotonic() - started, 1),
    }


if __name__ == "__main__":
    print(json.dumps(anyio.run(main, Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])))  # noqa: T201 - the answer
