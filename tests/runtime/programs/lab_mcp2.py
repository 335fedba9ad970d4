"""Servers of mcp 2.x built in odd ways, asked over a pipe in one process: ``lab_mcp2.py NAME,NAME`` prints JSON."""

from __future__ import annotations

import json
from typing import Any

import progressive_disclosure as pd
from lab import BRIDGE, ERAS, URI, answering, experiment, listing, main, of_call, of_cursor, piped, tours
from mcp import types
from mcp.server import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ToolsListChanged


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

        for case, fetch in ((ERAS[0], lambda: pipe.read(uri)), (ERAS[1], lambda: modern.read(uri)), ("none", without)):
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
async def a_client_that_listens() -> Any:
    """What it is told when the tools change, before and after."""
    found = []
    for enable in (lambda server: server, pd.enable):
        bus = InMemorySubscriptionBus()
        server = enable(Server("desk", **handlers(), on_subscriptions_listen=ListenHandler(bus)))
        async with piped(server, ERAS[1]) as pipe:
            await pipe.post("subscriptions/listen", notifications={"toolsListChanged": True})
            found.append((await pipe.message())["method"])
            await bus.publish(ToolsListChanged())
            found.append((await pipe.message())["method"])
    return found


@experiment
async def telemetry_stays_in_front() -> Any:
    server = pd.enable(pd.enable(Server("desk", **handlers())))
    return [type(layer).__name__ for layer in server.middleware]


if __name__ == "__main__":
    main()
