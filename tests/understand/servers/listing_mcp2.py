"""Runs in an environment with mcp 2.x: what the real SDK lists for each source that comes on standard input.

Standard input holds ``{label: source}``; each source binds ``server``.  Standard output gets ``{label: answer}``, where
the answer is the list of tools of all pages, or the text of an error.
"""

from __future__ import annotations

import json
import sys
from types import ModuleType
from typing import Any

import anyio
from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc

CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


async def listing(server: Any) -> Any:
    to_server, server_reads = anyio.create_memory_object_stream[Any](10)
    server_writes, from_server = anyio.create_memory_object_stream[Any](10)

    async def ask(number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
        request = jsonrpc.JSONRPCRequest(jsonrpc="2.0", id=number, method=method, params=params)
        await to_server.send(SessionMessage(request))
        with anyio.fail_after(10):
            while True:
                message = (await from_server.receive()).message
                answer = json.loads(message.model_dump_json(by_alias=True, exclude_none=True))
                if answer.get("id") == number:
                    return dict(answer)

    async with anyio.create_task_group() as group:
        group.start_soon(server.run, server_reads, server_writes, server.create_initialization_options())
        await ask(0, "initialize", CLIENT)
        note = jsonrpc.JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized")
        await to_server.send(SessionMessage(note))
        tools: list[Any] = []
        cursor: dict[str, Any] = {}
        for number in range(1, 20):
            answer = await ask(number, "tools/list", cursor)
            if "error" in answer:
                group.cancel_scope.cancel()
                return answer["error"]["message"]
            tools += answer["result"]["tools"]
            if "nextCursor" not in answer["result"]:
                break
            cursor = {"cursor": answer["result"]["nextCursor"]}
        group.cancel_scope.cancel()
    return tools


def answer(label: str, source: str) -> Any:
    module = sys.modules["app"] = ModuleType("app")
    try:
        exec(compile(source, label, "exec"), module.__dict__)
        return anyio.run(listing, module.server)
    except Exception as error:  # noqa: BLE001 - whatever ends the server is its answer
        return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    json.dump({label: answer(label, source) for label, source in json.load(sys.stdin).items()}, sys.stdout)
