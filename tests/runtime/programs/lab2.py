"""Servers of mcp 2.x built in odd ways, each asked over a pipe in one process: ``lab2.py NAME,NAME`` prints JSON."""

from __future__ import annotations

import gc
import json
import sys
import threading
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import progressive_disclosure as pd
from definitions import FULL, MOVED, stub
from mcp import types
from mcp.server import Server
from mcp.server.lowlevel.server import HandlerEntry
from mcp.shared.exceptions import MCPError
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from pydantic import BaseModel, Field, PrivateAttr

URI = "resource:///tool_descriptions"
BRIDGE = "desk_describe_tools"
ERAS = ("2025-06-18", "2026-07-28")
PREFIX = "io.modelcontextprotocol/"
EXPERIMENTS: dict[str, Callable[[], Awaitable[Any]]] = {}


def experiment(function: Callable[[], Awaitable[Any]]) -> Callable[[], Awaitable[Any]]:
    EXPERIMENTS[function.__name__] = function
    return function


class Pipe:
    """One client of a server, over a pair of streams: requests as they are on the wire."""

    def __init__(self, read: Any, write: Any, era: str) -> None:
        self._read, self._write, self._era, self._number = read, write, era, 0
        self.about: Any = None

    async def ask(self, method: str, **params: Any) -> Any:
        number = await self.post(method, **params)
        while True:
            answer = (await self._read.receive()).message.model_dump(by_alias=True, mode="json", exclude_none=True)
            if answer.get("id") == number:
                return answer.get("result", answer.get("error"))

    async def post(self, method: str, **params: Any) -> int:
        """Send a request and do not wait for its answer."""
        self._number += 1
        if self._era == ERAS[1]:
            envelope = {
                f"{PREFIX}protocolVersion": self._era,
                f"{PREFIX}clientInfo": {"name": "lab", "version": "1"},
                f"{PREFIX}clientCapabilities": {},
            }
            params = {**params, "_meta": envelope}
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        await self._write.send(SessionMessage(types.JSONRPCRequest.model_validate(message)))
        return self._number

    async def open(self) -> None:
        if self._era == ERAS[1]:
            self.about = await self.ask("server/discover")
            return
        client = {"name": "lab", "version": "1"}
        self.about = await self.ask("initialize", protocolVersion=self._era, capabilities={}, clientInfo=client)
        told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        await self._write.send(SessionMessage(types.JSONRPCNotification.model_validate(told)))

    async def tools(self, **params: Any) -> Any:
        return await self.ask("tools/list", **params)

    async def call(self, name: str, arguments: Any = None) -> Any:
        return await self.ask("tools/call", name=name, arguments=arguments or {})

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


def listed(*names: str) -> list[types.Tool]:
    return [types.Tool.model_validate(stub(name) if name in MOVED else FULL[name]) for name in names]


def handlers(*names: str, mark: str = "") -> dict[str, Any]:
    """What a plain server is made with that lists ``names``."""

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=listed(*(names or ("find", "lend", "plain"))))

    async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        text = f"{mark}{params.name} {json.dumps(params.arguments)}"
        failed = (params.arguments or {}).get("words") == "t"
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=failed)

    return {"on_list_tools": list_tools, "on_call_tool": call_tool}


def register(server: Server, *names: str, mark: str = "") -> Server:
    """The same handlers, registered later."""
    made = handlers(*names, mark=mark)
    server.add_request_handler("tools/list", types.PaginatedRequestParams, made["on_list_tools"])
    server.add_request_handler("tools/call", types.CallToolRequestParams, made["on_call_tool"])
    return server


async def tour(server: Server, era: str = ERAS[0], name: str = "find") -> dict[str, Any]:
    """What matters of a server: the list, a call before the fetch, one after it, and its resources."""
    async with piped(server, era) as pipe:
        names = [tool["name"] for tool in (await pipe.tools())["tools"]]
        gated = await pipe.call(name, {"words": "tidal"})
        full = (await pipe.read(f"{URI}?tools={name}"))[name]
        good = await pipe.call(name, {"words": "tidal"})
        resources = [resource["uri"] for resource in (await pipe.ask("resources/list"))["resources"]]
    return {
        "listed": names,
        "gated": "TOOL_DESCRIPTION_REQUIRED" in gated["content"][0]["text"],
        "schema": full["inputSchema"],
        "good": good["content"][0]["text"],
        "resources": resources,
    }


# --- when and how handlers and middlewares are registered -------------------------------------------------------------


@experiment
async def made_with_handlers() -> Any:
    return [await tour(pd.enable(Server("desk", **handlers())), era) for era in ERAS]


@experiment
async def handlers_registered_later() -> Any:
    return [await tour(register(pd.enable(Server("desk"))))]


@experiment
async def handlers_replaced() -> Any:
    return [await tour(register(pd.enable(Server("desk", **handlers("plain", mark="old ")))))]


@experiment
async def enabled_twice() -> Any:
    server = pd.enable(Server("desk", **handlers()))
    assert pd.enable(pd.enable(server, stdio="off")) is server
    return [await tour(server)]


@experiment
async def a_handler_that_calls_the_one_it_replaces() -> Any:
    server = pd.enable(Server("desk", **handlers()))
    for method in ("tools/list", "tools/call"):
        entry = server.get_request_handler(method)
        assert entry is not None

        def traced(inner: Any) -> Any:
            async def handler(context: Any, params: Any) -> Any:
                return await inner(context, params)

            return handler

        server.add_request_handler(method, entry.params_type, traced(entry.handler))
    return [await tour(server)]


async def hides_lend(context: Any, call_next: Any) -> Any:
    """A middleware that lets nobody see or call one of the tools, or call any that it does not know."""
    name = (context.params or {}).get("name")
    if context.method == "tools/call" and name not in ("find", "plain"):
        return {"content": [{"type": "text", "text": f"no {name} here"}], "isError": True}
    result = await call_next(context)
    if context.method == "tools/list":
        result = {**result, "tools": [tool for tool in result["tools"] if tool["name"] in ("find", "plain")]}
    return result


@experiment
async def a_middleware_that_hides_tools() -> Any:
    """Wherever it stands, before and after ours was added."""
    found = []
    for late in (False, True):
        server = Server("desk", **handlers())
        if not late:
            server.middleware.append(hides_lend)
        pd.enable(server)
        if late:
            server.middleware.append(hides_lend)
        async with piped(server) as pipe:
            tools = (await pipe.tools())["tools"]
            found.append(
                {
                    "listed": [tool["name"] for tool in tools],
                    "enum": tools[-1]["inputSchema"]["properties"]["names"]["items"]["enum"],
                    "fetched": (await pipe.read(f"{URI}?tools=lend"))["lend"],
                    "bridge": list(json.loads((await pipe.call(BRIDGE, {"names": ["find"]}))["content"][0]["text"])),
                    "called": (await pipe.call("lend"))["content"][0]["text"],
                }
            )
    return found


# --- pages ------------------------------------------------------------------------------------------------------------


@experiment
async def resources_in_two_pages() -> Any:
    async def list_resources(_context: Any, params: types.PaginatedRequestParams) -> types.ListResourcesResult:
        uri = "x://one" if params.cursor is None else "x://two"
        resource = types.Resource(uri=uri, name=uri)
        return types.ListResourcesResult(resources=[resource], next_cursor=None if params.cursor else "two")

    server = pd.enable(Server("desk", on_list_resources=list_resources, **handlers()))
    async with piped(server) as pipe:
        pages = [await pipe.ask("resources/list"), await pipe.ask("resources/list", cursor="two")]
    return [[[resource["uri"] for resource in page["resources"]], page.get("nextCursor")] for page in pages]


# --- listings that repeat ---------------------------------------------------------------------------------------------


@experiment
async def what_is_listed_changes_between_listings() -> Any:
    """In place, in its values, in its length and in its order; what stands beside the tools is that of each answer."""
    tools = [
        types.Tool(name=name, description=f"The {name}.", input_schema=FULL["plain"]["inputSchema"]) for name in "ab"
    ]
    asked = 0

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        nonlocal asked
        asked += 1
        return types.ListToolsResult(tools=list(tools), _meta={"asked": asked})

    server = pd.enable(Server("desk", on_list_tools=list_tools, on_call_tool=handlers()["on_call_tool"]))
    found = []
    async with piped(server, lists=False) as pipe:

        async def ask() -> None:
            page = await pipe.tools()
            *own, _ = [[tool["name"], tool.get("title"), tool["description"]] for tool in page["tools"]]
            found.append([page["_meta"]["asked"], own])

        await ask()
        await ask()
        tools[0].description = "Another text."
        await ask()
        tools[0].title = "Another title"
        await ask()
        tools.reverse()
        await ask()
        del tools[1]
        await ask()
        await ask()
    return found


@experiment
async def one_listing_in_two_versions() -> Any:
    """How a tool may be run is said in the older one alone."""
    execution = types.ToolExecution(task_support="optional")
    tool = types.Tool(name="a", description="Text.", input_schema={"type": "object"}, execution=execution)

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[tool])

    server = pd.enable(Server("desk", on_list_tools=list_tools, on_call_tool=handlers()["on_call_tool"]))
    async with piped(server, ERAS[0]) as old, piped(server, ERAS[1]) as new:
        return [["execution" in (await pipe.tools())["tools"][0] for pipe in (old, new)] for _ in range(3)]


@experiment
async def a_middleware_that_reads_listings() -> Any:
    seen = []

    async def reads(context: Any, call_next: Any) -> Any:
        result = await call_next(context)
        if context.method == "tools/list":
            seen.append(["pattern" in json.dumps(tool) for tool in result["tools"]])
        return result

    def tools_with_patterns() -> list[types.Tool]:
        schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": "x"}}}
        return [types.Tool(name=name, description="Text.", input_schema=schema) for name in ("one", "two")]

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools_with_patterns())

    server = pd.enable(Server("desk", on_list_tools=list_tools, on_call_tool=handlers()["on_call_tool"]))
    sent = []
    async with piped(server, lists=False) as pipe:
        sent += [len((await pipe.tools())["tools"]) for _ in range(2)]
        server.middleware.append(reads)
        sent += [len((await pipe.tools())["tools"]) for _ in range(2)]
    return {"seen": seen, "sent": sent}


@experiment
async def a_server_that_lists_what_another_lists() -> Any:
    inner = pd.enable(Server("desk", **handlers("find", "plain")))

    async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
        entry = inner.get_request_handler("tools/list")
        assert entry is not None
        found = await entry.handler(context, params)
        return types.ListToolsResult(tools=[*found.tools, *listed("lend")])

    outer = pd.enable(Server("desk", on_list_tools=list_tools, on_call_tool=handlers()["on_call_tool"]))
    async with piped(inner) as pipe:
        sent = [[tool["name"] for tool in (await pipe.tools())["tools"]] for _ in range(2)]
    async with piped(outer) as pipe:
        sent += [[tool["name"] for tool in (await pipe.tools())["tools"]] for _ in range(3)]
    return sent


@experiment
async def a_handler_that_is_wrapped_while_it_answers() -> Any:
    server = pd.enable(Server("desk", **handlers("find", "plain")))
    sent, traced = [], []
    async with piped(server) as pipe:
        for _ in range(3):
            sent += [[tool["name"] for tool in (await pipe.tools())["tools"]] for _ in range(2)]
            entry = server.get_request_handler("tools/list")
            assert entry is not None

            async def handler(context: Any, params: Any, inner: Any = entry.handler) -> Any:
                result = await inner(context, params)
                traced.append(len(result.tools))
                return result

            server.add_request_handler("tools/list", entry.params_type, handler)
    return {"sent": sent, "traced": traced}


@experiment
async def a_middleware_around_ours_that_changes_tools() -> Any:
    async def marks(context: Any, call_next: Any) -> Any:
        result = await call_next(context)
        if context.method == "tools/list":
            result["tools"][0]["inputSchema"]["x-mark"] = len(result["tools"][0]["inputSchema"])
        return result

    server = pd.enable(Server("desk", **handlers("plain")))
    server.middleware.insert(0, marks)
    async with piped(server) as pipe:
        return [(await pipe.tools())["tools"][0]["inputSchema"] for _ in range(3)]


@experiment
async def a_server_that_looks_its_handlers_up_itself() -> Any:
    """For each tenant another one: what is listed for the first must not come to the second."""
    tenant = ""

    class Tenants(Server):
        def get_request_handler(self, method: str) -> Any:
            entry = super().get_request_handler(method)
            own = handlers("find" if tenant == "one" else "plain")["on_list_tools"]
            return HandlerEntry(types.PaginatedRequestParams, own) if method == "tools/list" else entry

    server = pd.enable(Tenants("desk", **handlers()))
    sent = []
    async with piped(server, lists=False) as pipe:
        for tenant in ("one", "two", "one"):  # noqa: B007 - the server asks for it
            sent.append([tool["name"] for tool in (await pipe.tools())["tools"]])
    kept = Server.get_request_handler(server, "tools/list")
    return {"sent": sent, "untouched": kept is not None and kept.handler.__name__ == "list_tools"}


@experiment
async def tools_that_hold_what_cannot_be_copied() -> Any:
    """In a field that is not sent, in a private one, in what an iterator yields once, and behind a model."""

    class Connection(BaseModel):
        place: str = "there"
        _lock: Any = PrivateAttr(default_factory=threading.Lock)

        def run(self) -> None:
            """What a tool of the server does."""

    class Runnable(types.Tool):
        run: Any = Field(default=None, exclude=True)

    class Locked(types.Tool):
        _lock: Any = PrivateAttr(default_factory=threading.Lock)

    words: dict[str, Any] = {"description": "Text.", "input_schema": {"type": "object"}}
    made: list[Callable[[], types.Tool]] = [
        lambda: Runnable(name="a", run=Connection().run, **words),
        lambda: Locked(name="a", **words),
        lambda: types.Tool(name="a", description="Text.", input_schema={"type": "object", "required": iter("x")}),
        lambda: types.Tool(name="a", _meta={"where": Connection()}, **words),
    ]

    async def names(make: Callable[[], types.Tool]) -> Any:
        async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
            return types.ListToolsResult(tools=[make()])

        server = pd.enable(Server("desk", on_list_tools=list_tools, on_call_tool=handlers()["on_call_tool"]))
        async with piped(server) as pipe:
            pages = [await pipe.tools() for _ in range(2)]
        return [[tool["name"] for tool in page["tools"]] if "tools" in page else page for page in pages]

    return [await names(make) for make in made]


@experiment
async def a_middleware_whose_module_has_a_name_like_ours() -> Any:
    seen = []

    class Reads:
        async def __call__(self, context: Any, call_next: Any) -> Any:
            result = await call_next(context)
            if context.method == "tools/list":
                seen.append(len(result["tools"]))
            return result

    Reads.__module__ = f"{pd.__name__}_layers"
    server = pd.enable(Server("desk", **handlers("find", "plain")))
    server.middleware.append(Reads())
    async with piped(server, lists=False) as pipe:
        for _ in range(2):
            await pipe.tools()
    return seen


# --- what is said of the server ---------------------------------------------------------------------------------------


@experiment
async def instructions() -> Any:
    found = []
    for own in (None, "", "Mine.", "m" * 2047):
        for era in ERAS:
            server = pd.enable(Server("desk", instructions=own, **handlers()))
            async with piped(server, era) as pipe:
                said = pipe.about.get("instructions")
            found.append([own, said, server.instructions == own])
    return found


@experiment
async def capabilities() -> Any:
    """Derived, or written down by hand without resources."""
    from mcp.server.models import InitializationOptions

    server = pd.enable(Server("desk", **handlers()))
    by_hand = InitializationOptions(
        server_name="x", server_version="1", capabilities=types.ServerCapabilities(tools=types.ToolsCapability())
    )
    found = []
    for era, options in ((ERAS[0], None), (ERAS[1], None), (ERAS[0], by_hand)):
        async with piped(server, era, options) as pipe:
            found.append("resources" in pipe.about["capabilities"])
    bare = Server("desk", **handlers())
    async with piped(bare) as pipe:
        found.append("resources" in pipe.about["capabilities"])
    return found


@experiment
async def no_resources_of_its_own() -> Any:
    server = pd.enable(Server("desk", **handlers()))
    async with piped(server) as pipe:
        second = await pipe.ask("resources/list", cursor="two")
        return [await pipe.read("x://nothing"), second["resources"]]


# --- whether a session has listed -------------------------------------------------------------------------------------


@experiment
async def listings_that_count() -> Any:
    """Whether a call is refused after each thing that a session, or the server by itself, does."""
    found: dict[str, list[bool]] = {}
    for era in ERAS:
        waiting, go = anyio.Event(), anyio.Event()

        async def list_tools(_context: Any, params: Any, waiting: Any = waiting, go: Any = go) -> types.ListToolsResult:
            if params.cursor == "fails":
                raise MCPError(code=-32050, message="no such page")
            if params.cursor == "waits":
                waiting.set()
                await go.wait()
            return types.ListToolsResult(tools=listed("find") if params.cursor is None else [], next_cursor="two")

        server = pd.enable(Server("desk", on_list_tools=list_tools, on_call_tool=handlers()["on_call_tool"]))

        async def note(what: str, pipe: Pipe) -> None:
            answer = await pipe.call("find", {"words": "ab"})
            found.setdefault(what, []).append("TOOL_DESCRIPTION_REQUIRED" in answer["content"][0]["text"])

        async with piped(server, era, lists=False) as pipe:
            await note("nothing", pipe)
            await pipe.tools(cursor="two")
            await note("a page after a call", pipe)
        async with piped(server, era, lists=False) as pipe:
            await pipe.read(URI)
            await pipe.call(BRIDGE)
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


# --- grants -----------------------------------------------------------------------------------------------------------


@experiment
async def many_sessions() -> Any:
    """Sessions that fetch, one after the other, and then as many that do not."""
    server = pd.enable(Server("desk", **handlers()))
    (core,) = (thing for thing in gc.get_objects() if isinstance(thing, pd.Disclosure))
    found = {}
    for era in ERAS:
        opened = []
        for number in range(200):
            async with piped(server, era) as pipe:
                if number < 100:
                    await pipe.read(f"{URI}?tools=find")
                answer = await pipe.call("find", {"words": "ab"})
                opened.append("TOOL_DESCRIPTION_REQUIRED" not in answer["content"][0]["text"])
        gc.collect()
        found[era] = [sum(opened[:100]), sum(opened[100:]), len(core._sessions)]
    return found


@experiment
async def a_granted_call_costs_no_listing() -> Any:
    listings: list[int] = []

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        listings.append(1)
        return types.ListToolsResult(tools=listed("find"))

    server = pd.enable(Server("desk", on_list_tools=list_tools, on_call_tool=handlers()["on_call_tool"]))
    async with piped(server) as pipe:
        await pipe.read(f"{URI}?tools=find")
        before = len(listings)
        answers = [await pipe.call("find", {"words": "ab"}) for _ in range(5)]
    return [len(listings) - before, [answer.get("isError") for answer in answers]]


@experiment
async def two_servers() -> Any:
    one = pd.enable(Server("desk", **handlers(mark="one ")))
    two = pd.enable(Server("desk", **handlers("find", mark="two ")), stdio="off")
    async with piped(one) as first, piped(two) as second:
        await first.read(f"{URI}?tools=find")
        answers = [await first.call("find", {"words": "ab"}), await second.call("find", {"words": "ab"})]
        answers.append(await first.call("lend", {"book": 1}))
    return [answer["content"][0]["text"].split(" ")[0] for answer in answers]


@experiment
async def weak() -> Any:
    server = pd.enable(Server("desk", **handlers()))
    await tour(server)
    reference = weakref.ref(server)
    del server
    gc.collect()
    return reference() is None


@experiment
async def in_process_without_a_session() -> Any:
    """The SDK's own client in the same process has no session that could hold a grant."""
    from mcp.client import Client

    server = pd.enable(Server("desk", **handlers()))
    async with Client(server) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        good = await client.call_tool("find", {"words": "ab"})
        bad = await client.call_tool("find", {"words": "t"})
    return [tools, [content.text for content in good.content], len(bad.content)]


@experiment
async def fetches_over_time() -> Any:
    """How many of 200 are allowed, in a session and without one, and when the next is; by a clock of our own."""
    from mcp.client import Client

    now = [0.0]

    class Clock:
        @staticmethod
        def monotonic() -> float:
            return now[0]

    clock, pd.time = pd.time, Clock
    server, found = pd.enable(Server("desk", **handlers())), {}
    uri = f"{URI}?tools=find"
    async with piped(server) as pipe, piped(server, ERAS[1]) as modern, Client(server) as client:

        async def without() -> Any:
            contents: Any = (await client.read_resource(uri)).contents[0]
            return json.loads(contents.text)

        for case, fetch in (
            (ERAS[0], lambda: pipe.read(uri)),
            (ERAS[1], lambda: modern.read(uri)),
            ("none", without),
        ):
            allowed = 0
            while "find" in await fetch() and allowed < 200:
                allowed += 1
            waits = []
            for passed in (0.0, 9.5, 0.5):
                now[0] += passed
                waits.append((await fetch()).get("error", {}).get("retryAfter"))
            found[case] = [allowed, *waits]
    pd.time = clock
    return found


# --- names, and requests of other forms -------------------------------------------------------------------------------


@experiment
async def malformed_requests() -> Any:
    """They are answered by the SDK as without us."""
    found = []
    for server in (Server("desk", **handlers()), pd.enable(Server("desk", **handlers()))):
        async with piped(server) as pipe:
            await pipe.read(f"{URI}?tools=find")
            answers = []
            for params in ({}, {"name": None}, {"name": ["find"]}, {"name": 7}, {"name": "nonsense", "arguments": [1]}):
                answers.append(await pipe.ask("tools/call", **params))
            answers.append(await pipe.ask("resources/read"))
            answers.append(await pipe.ask("nonsense/method"))
        found.append([answer.get("code") for answer in answers])
    async with piped(pd.enable(Server("desk", **handlers()))) as pipe:
        bridged = [
            await pipe.ask("tools/call", name=BRIDGE, arguments=value) for value in ({"names": 7}, {"names": {}})
        ]
    return [*found, [json.loads(answer["content"][0]["text"]) for answer in bridged]]


@experiment
async def advice_in_an_error_of_the_protocol() -> Any:
    """What a call that raises is answered with, before and with advice: first, again, and by an error of the SDK's."""

    async def call_tool(_context: Any, params: types.CallToolRequestParams) -> Any:
        if (params.arguments or {}).get("words") == "sdk":
            raise MCPError(code=-32050, message="not now", data={"own": 1})
        raise KeyError("berth")

    made = {"on_list_tools": handlers()["on_list_tools"], "on_call_tool": call_tool}
    found = []
    for era in ERAS:
        told = []
        for server in (Server("desk", **made), pd.enable(Server("desk", **made), stdio="advise")):
            async with piped(server, era) as pipe:
                calls = (("find", {}), ("find", {}), ("lend", {"words": "sdk"}), ("nonsense", {}))
                told.append([await pipe.call(*call) for call in calls])
        found.append(told)
    return found


@experiment
async def telemetry_stays_in_front() -> Any:
    server = pd.enable(pd.enable(Server("desk", **handlers())))
    return [type(layer).__name__ for layer in server.middleware]


if __name__ == "__main__":
    names = [name for name in sys.argv[1].split(",") if name]
    sys.stdout.write(json.dumps({name: anyio.run(EXPERIMENTS[name]) for name in names}))
