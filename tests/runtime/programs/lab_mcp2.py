"""Servers of mcp 2.x built in odd ways, asked over a pipe in one process: ``lab_mcp2.py NAME,NAME`` prints JSON."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import progressive_disclosure as pd
from lab import (
    BRIDGE,
    ERAS,
    URI,
    answering,
    enabled,
    experiment,
    listing,
    main,
    of_call,
    of_cursor,
    page,
    piped,
    tools,
    tours,
)
from mcp import types
from mcp.server import Server
from mcp.server.lowlevel.server import HandlerEntry
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel, Field, PrivateAttr


def handlers(*names: str) -> dict[str, Any]:
    """What a plain server is made with that lists ``names``."""
    return {"on_list_tools": of_cursor(listing(*names)), "on_call_tool": of_call(answering())}


# --- when and how handlers and middlewares are registered -------------------------------------------------------------


@experiment
async def made_with_handlers() -> Any:
    return await tours(lambda: pd.enable(Server("desk", **handlers())))


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


# --- listings that repeat ---------------------------------------------------------------------------------------------


@experiment
async def one_listing_in_two_versions() -> Any:
    """How a tool may be run is said in the older one alone."""
    execution = types.ToolExecution(task_support="optional")
    tool = types.Tool(name="a", description="Text.", input_schema={"type": "object"}, execution=execution)

    async def list_tools(_cursor: Any) -> types.ListToolsResult:
        return page([tool])

    server = enabled(list_tools)
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

    async def list_tools(_cursor: Any) -> types.ListToolsResult:
        schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": "x"}}}
        return page([types.Tool(name=name, description="Text.", input_schema=schema) for name in ("one", "two")])

    server = enabled(list_tools)
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
        return types.ListToolsResult(tools=[*found.tools, *tools("lend")])

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
    return {"sent": sent, "untouched": kept is not None and kept.handler.__name__ == "handler"}


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
        async def list_tools(_cursor: Any) -> types.ListToolsResult:
            return page([make()])

        async with piped(enabled(list_tools)) as pipe:
            pages = [await pipe.tools() for _ in range(2)]
        return [[tool["name"] for tool in found["tools"]] if "tools" in found else found for found in pages]

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


# --- grants -----------------------------------------------------------------------------------------------------------


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
    main()
