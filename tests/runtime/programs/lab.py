"""Servers built in odd ways on either major of the SDK, each asked over a pipe in one process.

The handlers of these servers are written once: ``lists`` and ``calls`` register them as each major wants them.
``lab_mcp1.py`` and ``lab_mcp2.py`` have what only one of the two can do.
"""

from __future__ import annotations

import gc
import json
import sys
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version
from typing import Any

import anyio
import progressive_disclosure as pd
from definitions import FULL, MOVED, stub
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.models import InitializationOptions
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage

URI = "resource:///tool_descriptions"
BRIDGE = "desk_describe_tools"
OLD = version("mcp").startswith("1.")
ERAS = ("2025-06-18",) if OLD else ("2025-06-18", "2026-07-28")
PREFIX = "io.modelcontextprotocol/"
EXPERIMENTS: dict[str, Callable[[], Awaitable[Any]]] = {}


def experiment(function: Callable[[], Awaitable[Any]]) -> Callable[[], Awaitable[Any]]:
    EXPERIMENTS[function.__name__] = function
    return function


def main() -> None:
    """Print what the experiments find whose names, with commas between them, are the first argument."""
    names = [name for name in sys.argv[1].split(",") if name]
    sys.stdout.write(json.dumps({name: anyio.run(EXPERIMENTS[name]) for name in names}))


# --- clients ----------------------------------------------------------------------------------------------------------


class Pipe:
    """One client of a server, over a pair of streams: requests as they are on the wire."""

    def __init__(self, read: Any, write: Any, era: str) -> None:
        self._read, self._write, self._era, self._number = read, write, era, 0
        self.about: Any = None

    async def ask(self, method: str, **params: Any) -> Any:
        number = await self.post(method, **params)
        while True:
            answer = await self.message()
            if answer.get("id") == number:
                return answer.get("result", answer.get("error"))

    async def message(self) -> Any:
        """The next of what is sent to the client."""
        return (await self._read.receive()).message.model_dump(by_alias=True, mode="json", exclude_none=True)

    async def post(self, method: str, **params: Any) -> int:
        """Send a request and do not wait for its answer."""
        self._number += 1
        if self._era != ERAS[0]:
            envelope = {
                f"{PREFIX}protocolVersion": self._era,
                f"{PREFIX}clientInfo": {"name": "lab", "version": "1"},
                f"{PREFIX}clientCapabilities": {},
            }
            params = {**params, "_meta": envelope}
        await self._send(types.JSONRPCRequest, {"id": self._number, "method": method, "params": params})
        return self._number

    async def _send(self, kind: Any, message: dict[str, Any]) -> None:
        made = (types.JSONRPCMessage if OLD else kind).model_validate({"jsonrpc": "2.0", **message})
        await self._write.send(SessionMessage(made))

    async def open(self) -> None:
        if self._era != ERAS[0]:
            self.about = await self.ask("server/discover")
            return
        client = {"name": "lab", "version": "1"}
        self.about = await self.ask("initialize", protocolVersion=self._era, capabilities={}, clientInfo=client)
        await self._send(types.JSONRPCNotification, {"method": "notifications/initialized"})

    async def tools(self, **params: Any) -> Any:
        return await self.ask("tools/list", **params)

    async def call(self, name: str, arguments: Any = None) -> Any:
        return await self.ask("tools/call", name=name, arguments=arguments or {})

    async def refused(self) -> bool:
        """Whether a good call is."""
        answer = await self.call("find", {"words": "ab"})
        return "TOOL_DESCRIPTION_REQUIRED" in answer["content"][0]["text"]

    async def read(self, uri: str) -> Any:
        answer = await self.ask("resources/read", uri=uri)
        return json.loads(answer["contents"][0]["text"]) if "contents" in answer else answer


@asynccontextmanager
async def piped(server: Server, era: str = ERAS[0], options: Any = None, *, lists: bool = True) -> AsyncIterator[Pipe]:
    """A client that lists first, as hosts do that keep their session."""
    options = options or server.create_initialization_options()
    streams = create_client_server_memory_streams()
    async with streams as ((read, write), (server_read, server_write)), anyio.create_task_group() as group:
        group.start_soon(server.run, server_read, server_write, options)
        pipe = Pipe(read, write, era)
        await pipe.open()
        if lists:
            await pipe.tools()
        yield pipe
        group.cancel_scope.cancel()


# --- servers ----------------------------------------------------------------------------------------------------------

Paged = Callable[[Any], Awaitable[Any]]
"""What lists tools, or resources, from a cursor on."""


def tools(*names: str) -> list[types.Tool]:
    return [types.Tool.model_validate(stub(name) if name in MOVED else FULL[name]) for name in names]


def page(listed: list[types.Tool], **more: Any) -> types.ListToolsResult:
    return types.ListToolsResult.model_validate({"tools": listed, **more})


def listing(*names: str) -> Paged:
    async def list_tools(_cursor: Any) -> types.ListToolsResult:
        return page(tools(*(names or ("find", "lend", "plain"))))

    return list_tools


def answering(mark: str = "") -> Callable[..., Awaitable[types.CallToolResult]]:
    async def call_tool(name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        said = {"type": "text", "text": f"{mark}{name} {json.dumps(arguments)}"}
        found = {"content": [said], "isError": arguments.get("words") == "t"}
        return types.CallToolResult.model_validate(found)

    return call_tool


def lists(server: Server, function: Paged) -> None:
    if not OLD:
        server.add_request_handler("tools/list", types.PaginatedRequestParams, of_cursor(function))
        return

    @server.list_tools()
    async def list_tools(request: types.ListToolsRequest) -> Any:
        return await function(request.params.cursor if request is not None and request.params else None)


def calls(server: Server, function: Callable[..., Awaitable[Any]]) -> None:
    if OLD:
        server.call_tool()(function)
    else:
        server.add_request_handler("tools/call", types.CallToolRequestParams, of_call(function))


def lists_resources(server: Server, function: Paged) -> None:
    if not OLD:
        server.add_request_handler("resources/list", types.PaginatedRequestParams, of_cursor(function))
        return

    @server.list_resources()
    async def list_resources(request: types.ListResourcesRequest) -> Any:
        return await function(request.params.cursor if request.params else None)


def of_cursor(function: Paged) -> Any:
    """The same as a handler of mcp 2.x."""

    async def handler(context: Any, params: Any) -> Any:
        assert context.session is not None, "whoever lists is asked in the context of a request"
        return await function(params.cursor if params else None)

    return handler


def of_call(function: Callable[..., Awaitable[Any]]) -> Any:
    """The same as a handler of mcp 2.x."""

    async def handler(_context: Any, params: Any) -> Any:
        return await function(params.name, params.arguments or {})

    return handler


def register(server: Server, *names: str, mark: str = "") -> Server:
    """The two handlers of a plain server that lists ``names``."""
    lists(server, listing(*names))
    calls(server, answering(mark))
    return server


def enabled(function: Paged) -> Server:
    """A server that lists what ``function`` does."""
    server = pd.enable(Server("desk"))
    lists(server, function)
    calls(server, answering())
    return server


async def tours(make: Callable[[], Server]) -> list[dict[str, Any]]:
    return [await tour(make(), era) for era in ERAS]


async def tour(server: Server, era: str = ERAS[0]) -> dict[str, Any]:
    """What matters of a server: the list, a call before the fetch, a bad and a good one after it, and its resources."""
    async with piped(server, era) as pipe:
        listed = [tool["name"] for tool in (await pipe.tools())["tools"]]
        gated = await pipe.call("find", {"words": "tidal"})
        full = (await pipe.read(f"{URI}?tools=find"))["find"]
        bad, good = await pipe.call("find", {"words": "t"}), await pipe.call("find", {"words": "tidal"})
        resources = [resource["uri"] for resource in (await pipe.ask("resources/list"))["resources"]]
    return {
        "listed": listed,
        "gated": "TOOL_DESCRIPTION_REQUIRED" in gated["content"][0]["text"],
        "schema": full["inputSchema"],
        "bad": bad["content"][0]["text"],
        "good": good["content"][0]["text"],
        "resources": resources,
    }


# --- when and how handlers are registered -----------------------------------------------------------------------------


def enabled_in_between() -> Server:
    server = Server("desk")
    lists(server, listing())
    pd.enable(server)
    calls(server, answering())
    return server


def enabled_twice() -> Server:
    server = register(pd.enable(Server("desk")))
    assert pd.enable(pd.enable(server, stdio="off")) is server
    return server


async def in_pages(cursor: Any) -> types.ListToolsResult:
    names = ("lend", "plain") if cursor is None else ("find",)
    return page(tools(*names), nextCursor="two" if cursor is None else None)


WAYS: dict[str, Callable[[], Server]] = {
    "enabled_first": lambda: register(pd.enable(Server("desk"))),
    "enabled_last": lambda: pd.enable(register(Server("desk"))),
    "enabled_in_between": enabled_in_between,
    "enabled_twice": enabled_twice,
    "listed_in_pages": lambda: enabled(in_pages),
    "registered_twice": lambda: register(register(pd.enable(Server("desk")), "plain", mark="old ")),
    "handlers_that_call_the_ones_they_replace": lambda: (trace_old if OLD else trace_new)(WAYS["enabled_first"]()),
}
EXPERIMENTS.update((name, partial(tours, make)) for name, make in WAYS.items())


def trace_old(server: Any) -> Any:
    for kind in (types.ListToolsRequest, types.CallToolRequest, types.ReadResourceRequest, types.ListResourcesRequest):

        async def handler(request: Any, inner: Any = server.request_handlers[kind]) -> Any:
            return await inner(request)

        server.request_handlers[kind] = handler
    return server


def trace_new(server: Any) -> Any:
    for method in ("tools/list", "tools/call"):
        entry = server.get_request_handler(method)

        async def handler(context: Any, params: Any, inner: Any = entry.handler) -> Any:
            return await inner(context, params)

        server.add_request_handler(method, entry.params_type, handler)
    return server


# --- listings ---------------------------------------------------------------------------------------------------------


@experiment
async def resources_in_two_pages() -> Any:
    async def list_resources(cursor: Any) -> types.ListResourcesResult:
        uri = "x://one" if cursor is None else "x://two"
        found = {"resources": [{"uri": uri, "name": uri}], "nextCursor": "two" if cursor is None else None}
        return types.ListResourcesResult.model_validate(found)

    server = register(pd.enable(Server("desk")))
    lists_resources(server, list_resources)
    async with piped(server) as pipe:
        pages = [await pipe.ask("resources/list"), await pipe.ask("resources/list", cursor="two")]
    return [[[resource["uri"] for resource in page["resources"]], page.get("nextCursor")] for page in pages]


@experiment
async def listings_that_count() -> Any:
    """Whether a call is refused after each thing that a session, or the server by itself, does."""
    found: dict[str, list[bool]] = {}
    for era in ERAS:
        waiting, go = anyio.Event(), anyio.Event()

        async def list_tools(cursor: Any, waiting: Any = waiting, go: Any = go) -> types.ListToolsResult:
            if cursor == "fails":
                raise ValueError("no such page")
            if cursor == "waits":
                waiting.set()
                await go.wait()
            return page(tools("find", "plain") if cursor is None else [], nextCursor="two")

        server: Any = enabled(list_tools)

        async def call_tool(name: str, arguments: dict[str, Any], server: Any = server) -> Any:
            if OLD:
                await server.request_handlers[types.ListToolsRequest](types.ListToolsRequest(method="tools/list"))
            return await answering()(name, arguments)

        calls(server, call_tool)

        async def note(what: str, pipe: Pipe) -> None:
            found.setdefault(what, []).append(await pipe.refused())

        async with piped(server, era, lists=False) as pipe:
            await note("nothing", pipe)
            await note("a call for which the server lists its tools", pipe)
            await pipe.tools()
            await note("a page after a call", pipe)
        async with piped(server, era, lists=False) as pipe:
            await pipe.read(f"{URI}?tools=plain")
            await pipe.call(BRIDGE, {"names": ["plain"]})
            await note("fetches", pipe)
        async with piped(server, era, lists=False) as pipe:
            await pipe.tools(cursor="fails")
            await note("a listing that fails", pipe)
        async with piped(server, era, lists=False) as pipe:
            await pipe.post("tools/list", cursor="waits")
            await waiting.wait()
            await note("a listing that is not answered yet", pipe)
            go.set()
        async with piped(server, era, lists=False) as pipe:
            await pipe.tools(cursor="two")
            await note("a page", pipe)
    return found


@experiment
async def listings_of_each_request() -> Any:
    """How often the server lists for each."""
    asked: list[int] = []

    async def list_tools(_cursor: Any) -> types.ListToolsResult:
        asked.append(1)
        return page(tools("find"))

    async def failing(_name: str, _arguments: dict[str, Any]) -> Any:
        raise ValueError("it broke")

    server, found = enabled(list_tools), {}

    async def count(what: str, request: Awaitable[Any]) -> None:
        asked.clear()
        await request
        found[what] = len(asked)

    async with piped(server) as pipe:
        await count("a listing", pipe.tools())
        await count("a bridge call", pipe.call(BRIDGE, {"names": ["nothing"]}))
        await count("a read", pipe.read(f"{URI}?tools=nothing"))
        await count("a refusal", pipe.refused())
        await count("a granted call", pipe.refused())
    calls(server, failing)
    async with piped(server, lists=False) as pipe:
        await count("advice", pipe.call("find", {"words": "ab"}))
    return found


# --- what is said of the server ---------------------------------------------------------------------------------------


def by_hand() -> InitializationOptions:
    """What is said of a server, written down without its resources and instructions."""
    capabilities = types.ServerCapabilities(tools=types.ToolsCapability())
    return InitializationOptions(server_name="x", server_version="1", capabilities=capabilities)


@experiment
async def instructions() -> Any:
    found = []
    for own in (None, "", "Mine.", "m" * 1700, "m" * 1980, "m" * 2047, "m" * 5000, "trailing  \n"):
        server = register(pd.enable(Server("desk", instructions=own)))
        for era, options, given in (*((era, None, own) for era in ERAS), (ERAS[0], by_hand(), None)):
            async with piped(server, era, options) as pipe:
                found.append([given, pipe.about.get("instructions"), server.instructions == own])
    return found


@experiment
async def capabilities() -> Any:
    """Which a client is told: derived before and after there are tools, and written down by hand."""
    written, found = by_hand(), {}
    for case, server, options in (
        ("no tools yet", pd.enable(Server("desk")), None),
        ("registered", register(pd.enable(Server("desk"))), None),
        ("by hand", register(pd.enable(Server("desk"))), written),
        ("as it was", register(Server("desk")), None),
    ):
        for era in ERAS if options is None else ERAS[:1]:
            async with piped(server, era, options, lists=False) as pipe:
                found.setdefault(case, []).append(sorted({"tools", "resources"} & {*pipe.about["capabilities"]}))
    assert written.capabilities.resources is None
    return found


@experiment
async def no_resources_of_its_own() -> Any:
    async with piped(register(pd.enable(Server("desk")))) as pipe:
        second = await pipe.ask("resources/list", cursor="two")
        return [await pipe.read("x://nothing"), second["resources"]]


# --- several servers, many sessions -----------------------------------------------------------------------------------


@experiment
async def two_servers() -> Any:
    one = register(pd.enable(Server("desk")), mark="one ")
    two = register(pd.enable(Server("desk"), stdio="off"), "find", mark="two ")
    async with piped(one) as first, piped(two) as second:
        await first.read(f"{URI}?tools=find")
        answers = [await first.call("find", {"words": "ab"}), await second.call("find", {"words": "ab"})]
        answers.append(await first.call("lend", {"book": 1}))
    return [answer["content"][0]["text"].split(" ")[0] for answer in answers]


@experiment
async def a_flood_of_fetches() -> Any:
    """What a session is told that fetches too often, what it may call then, and what another is told."""
    server, found = register(pd.enable(Server("desk"))), []
    for era in ERAS:
        async with piped(server, era) as flooding, piped(server, era) as other:
            for _ in range(61):
                told = await flooding.read(f"{URI}?tools=find")
            bridged = await flooding.call(BRIDGE, {"names": ["lend"]})
            assert json.loads(bridged["content"][0]["text"]) == told
            called = [
                (await flooding.call(*call))["isError"] for call in (("lend", {"book": 1}), ("find", {"words": "ab"}))
            ]
            fetched = await other.read(f"{URI}?tools=lend")
        found.append([told["error"]["code"], told["error"]["retryAfter"], bridged["isError"], called, [*fetched]])
    return found


@experiment
async def many_sessions() -> Any:
    """Sessions that fetch, one after the other, and then as many that do not."""
    server = register(pd.enable(Server("desk")))
    (core,) = (thing for thing in gc.get_objects() if isinstance(thing, pd.Disclosure))
    found, reference = [], weakref.ref(server)
    for era in ERAS:
        opened = []
        for number in range(200):
            async with piped(server, era) as pipe:
                if number < 100:
                    await pipe.read(f"{URI}?tools=find")
                opened.append(not await pipe.refused())
        gc.collect()
        found.append([sum(opened[:100]), sum(opened[100:]), len(core._sessions)])
    del server, core
    gc.collect()
    return [*found, reference() is None]
