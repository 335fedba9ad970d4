"""Servers and hosts after public reports, each in one process: ``reports.py NAME,NAME`` prints JSON."""

from __future__ import annotations

import importlib
import io
import json
import logging
import sys
from typing import Any

import anyio
import progressive_disclosure as pd
from lab import BRIDGE, URI, enabled, experiment, main, page, piped, register, tools
from mcp import ClientSession, types
from mcp.server.lowlevel import Server
from mcp.shared.memory import create_client_server_memory_streams

FIND = ("find", {"words": "tidal"})


def text(result: Any) -> str:
    return str(result["content"][0]["text"])


class Transported(Server):
    """Its ``run`` takes the name of a transport, as a class of people's own may."""

    async def run(self, transport: Any = "memory", *more: Any, **options: Any) -> None:
        if transport != "memory":
            await super().run(transport, *more, **options)
            return
        await super().run(*self.streams, self.create_initialization_options())


class Anything(Server):
    """Its ``run`` takes whatever comes."""

    async def run(self, *streams: Any, **options: Any) -> None:
        if streams:
            await super().run(*streams, **options)
            return
        await super().run(*self.streams, self.create_initialization_options())


class Keywords(Server):
    """Its ``run`` takes everything by name."""

    async def run(self, **named: Any) -> None:
        if named:
            await super().run(**named)
            return
        read, write = self.streams
        options = self.create_initialization_options()
        await self.run(read_stream=read, write_stream=write, initialization_options=options)


@experiment
async def servers_that_override_run() -> Any:
    found = {}
    for kind in (Transported, Anything, Keywords):
        server = register(pd.enable(kind("desk")))
        streams = create_client_server_memory_streams()
        async with streams as ((read, write), server.streams), anyio.create_task_group() as group:
            group.start_soon(server.run)
            async with ClientSession(read, write) as client:
                about = await client.initialize()
                await client.list_tools()
                refused, ran = await client.call_tool(*FIND), await client.call_tool(*FIND)
            group.cancel_scope.cancel()
        said = (about.instructions or "").count(URI)
        found[kind.__name__] = [said, about.capabilities.resources is not None, refused.isError, ran.isError]
    return found


@experiment
async def a_module_that_is_reloaded() -> Any:
    server = register(pd.enable(Server("desk")))
    again = importlib.reload(pd)
    again.enable(server)
    async with piped(server) as pipe:
        listed = [tool["name"] for tool in (await pipe.tools())["tools"]]
        return [listed, *[await pipe.refused() for _ in range(2)]]


@experiment
async def names_that_arrive_as_text() -> Any:
    found = {}
    async with piped(register(pd.enable(Server("desk")))) as pipe:
        for names in ('["find","lend"]', ' ["find"]', "['find']", '"find"', "find, lend", ["find"], None, []):
            answer = json.loads(text(await pipe.call(BRIDGE, {"names": names})))
            found[json.dumps(names)] = answer.get("error", [*answer])
    return found


@experiment
async def listings_of_each_request() -> Any:
    """How often the server lists for a bridge call, a read, a refusal, a failing advised call, a listing."""
    asked: list[int] = []

    async def list_tools(_cursor: Any) -> types.ListToolsResult:
        asked.append(1)
        return page(tools("find"))

    async def failing(_name: str, _arguments: dict[str, Any]) -> Any:
        raise ValueError("it broke")

    server, found = enabled(list_tools), {}
    server.call_tool(validate_input=False)(failing)
    async with piped(server) as pipe:
        for what, request in {
            "a listing": pipe.tools,
            "a bridge call": lambda: pipe.call(BRIDGE, {"names": ["nothing"]}),
            "a read": lambda: pipe.read(f"{URI}?tools=nothing"),
            "a refusal": pipe.refused,
        }.items():
            asked.clear()
            await request()
            found[what] = len(asked)
    async with piped(server, lists=False) as pipe:
        asked.clear()
        await pipe.refused()
        found["advice"] = len(asked)
    return found


@experiment
async def a_grant_that_comes_while_the_gate_lists() -> Any:
    server, slow, go = pd.enable(Server("desk"), stdio="strict"), False, anyio.Event()

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        if slow and not go.is_set():
            await go.wait()
        return tools("find")

    @server.call_tool()
    async def call_tool(name: str, _arguments: dict[str, Any]) -> Any:
        return [types.TextContent(type="text", text=f"ran {name}")]

    said = []
    async with piped(server) as pipe:
        (session,) = server.request_handlers._sessions.values()
        slow = True
        async with anyio.create_task_group() as group:

            async def calls() -> None:
                said.append(text(await pipe.call(*FIND)))

            group.start_soon(calls)
            await anyio.sleep(0.1)
            session.granted.add("find")
            go.set()
    return said


@experiment
async def a_second_transport_that_a_tool_starts() -> Any:
    server, found = Server("desk"), []

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return tools("find")

    @server.call_tool(validate_input=False)
    async def call_tool(_name: str, _arguments: dict[str, Any]) -> Any:
        if not found:
            found.append("started")
            async with piped(server) as inner:
                found.append([tool["name"] for tool in (await inner.tools())["tools"]])
                found.append(await inner.refused())
        return []

    pd.enable(server)
    async with piped(server) as pipe:
        await pipe.call(*FIND)
        await pipe.call(*FIND)
    return found


@experiment
async def logging_to_stdout() -> Any:
    """What a log record of ours writes, where the server logs to its standard output."""
    out, err = io.StringIO(), io.StringIO()
    handler = logging.StreamHandler(out)
    logging.getLogger().addHandler(handler)
    (ours,) = pd.logger.handlers
    to_stderr = ours.setStream(err) is sys.stderr
    pd.logger.warning("a line of ours")
    ours.setStream(sys.stderr)
    logging.getLogger().removeHandler(handler)
    return [out.getvalue(), err.getvalue(), to_stderr]


@experiment
async def names_with_blanks_at_an_end() -> Any:
    async def list_tools(_cursor: Any) -> types.ListToolsResult:
        names = (" a", "b ", "c", "größe")
        return page([types.Tool(name=name, description="Odd.", inputSchema={}) for name in names])

    async with piped(enabled(list_tools)) as pipe:
        answer = await pipe.read(f"{URI}?tools=%20a,b%20,c%20")
        named = {"names": json.dumps(["c", "b ", " a", "größe"])}
        as_text = json.loads(text(await pipe.call(BRIDGE, named)))
    return [[name for name in found if "error" not in found[name]] for found in (answer, as_text)]


@experiment
async def a_long_list() -> Any:
    async def list_tools(_cursor: Any) -> types.ListToolsResult:
        return page([types.Tool(name=f"tool_{n}", inputSchema={}) for n in range(64)])

    async with piped(enabled(list_tools)) as pipe:
        bridge = (await pipe.tools())["tools"][-1]
    return bridge["inputSchema"]["properties"]["names"]["items"]


if __name__ == "__main__":
    main()
