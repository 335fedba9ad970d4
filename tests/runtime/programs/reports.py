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
from lab import EXPERIMENTS, URI, call, connect, experiment, register, tools
from mcp import ClientSession, types
from mcp.server.lowlevel import Server
from mcp.shared.memory import create_client_server_memory_streams

BRIDGE = "desk_describe_tools"
FIND = ("find", {"words": "tidal"})


def text(result: Any) -> str:
    return str(result.content[0].text)


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
    async with connect(server) as client:
        listed = [tool.name for tool in (await client.list_tools()).tools]
        return [listed, *[(await client.call_tool(*FIND)).isError for _ in range(2)]]


@experiment
async def names_that_arrive_as_text() -> Any:
    server, found = register(pd.enable(Server("desk"))), {}
    async with connect(server) as client:
        for names in ('["find","lend"]', ' ["find"]', "['find']", '"find"', "find, lend", ["find"], None, []):
            answer = json.loads(text(await client.call_tool(BRIDGE, {"names": names})))
            found[json.dumps(names)] = answer.get("error", [*answer])
    return found


@experiment
async def listings_of_each_request() -> Any:
    """How often the server lists for a bridge call, a read, a refusal, a failing advised call, a listing."""
    asked: list[int] = []
    server = pd.enable(Server("desk"))

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        asked.append(1)
        return tools("plain")

    @server.call_tool(validate_input=False)
    async def call_tool(_name: str, _arguments: dict[str, Any]) -> Any:
        raise ValueError("it broke")

    found = {}
    async with connect(server) as client:
        for what, request in {
            "a listing": lambda: client.list_tools(),
            "a bridge call": lambda: call(client, BRIDGE, {"names": ["nothing"]}),
            "a read": lambda: client.read_resource(f"{URI}?tools=nothing"),
            "a refusal": lambda: call(client, "plain", {}),
        }.items():
            asked.clear()
            await request()
            found[what] = len(asked)
    async with connect(server, lists=False) as client:
        asked.clear()
        await call(client, "plain", {})
        found["advice"] = len(asked)
    return found


@experiment
async def a_list_that_is_down() -> Any:
    server, turn = pd.enable(Server("desk")), 0

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        nonlocal turn
        turn += 1
        if turn > 1:
            raise RuntimeError("down for maintenance")
        return tools("find")

    @server.call_tool(validate_input=False)
    async def call_tool(name: str, _arguments: dict[str, Any]) -> Any:
        return [types.TextContent(type="text", text=f"ran {name}")]

    async with connect(server) as client:
        return text(await call(client, *FIND))


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
    async with connect(server) as client:
        (session,) = (one for one in core(server)._sessions.values())
        slow = True
        async with anyio.create_task_group() as group:

            async def calls() -> None:
                said.append(text(await call(client, *FIND)))

            group.start_soon(calls)
            await anyio.sleep(0.1)
            session.granted.add("find")
            go.set()
    return said


def core(server: Any) -> Any:
    return server.request_handlers


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
            async with connect(server) as inner:
                found.append([tool.name for tool in (await inner.list_tools()).tools])
                found.append((await call(inner, *FIND)).isError)
        return []

    pd.enable(server)
    async with connect(server) as client:
        await call(client, *FIND)
        await call(client, *FIND)
    return found


@experiment
async def templates_and_names() -> Any:
    server = register(pd.enable(Server("desk")), "plain")
    async with connect(server) as client:
        (resource,) = (await client.list_resources()).resources
        (template,) = (await client.list_resource_templates()).resourceTemplates
        more = [await client.list_resources(cursor="2"), await client.list_resource_templates(cursor="2")]
    example = f"{URI}?tools=plain" in resource.description
    rest = [page.model_dump(mode="json", by_alias=True, exclude_none=True) for page in more]
    return [resource.name, template.name, template.uriTemplate, example, *rest]


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
    server = pd.enable(Server("desk"))

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return [
            types.Tool(name=name, description="Odd.", inputSchema={"type": "object"})
            for name in (" a", "b ", "c", "größe")
        ]

    @server.call_tool()
    async def call_tool(_name: str, _arguments: dict[str, Any]) -> Any:
        return []

    async with connect(server) as client:
        answer = json.loads((await client.read_resource(f"{URI}?tools=%20a,b%20,c%20")).contents[0].text)
        named = {"names": json.dumps(["c", "b ", " a", "größe"])}
        as_text = json.loads(text(await client.call_tool(BRIDGE, named)))
    return [[name for name in found if "error" not in found[name]] for found in (answer, as_text)]


@experiment
async def a_long_list() -> Any:
    server = pd.enable(Server("desk"))

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return [types.Tool(name=f"tool_{n}", inputSchema={"type": "object"}) for n in range(64)]

    async with connect(server) as client:
        bridge = (await client.list_tools()).tools[-1]
    return bridge.inputSchema["properties"]["names"]["items"]


if __name__ == "__main__":
    names = [name for name in sys.argv[1].split(",") if name]
    sys.stdout.write(json.dumps({name: anyio.run(EXPERIMENTS[name]) for name in names}))
