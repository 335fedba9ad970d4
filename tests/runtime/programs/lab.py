"""Servers built in odd ways, each with the SDK's client in the same process: ``lab.py NAME,NAME`` prints JSON."""

from __future__ import annotations

import gc
import json
import logging
import sys
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import progressive_disclosure as pd
from definitions import FULL, MOVED, stub
from mcp import McpError, types
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.shared.memory import create_connected_server_and_client_session

URI = "resource:///tool_descriptions"
EXPERIMENTS: dict[str, Callable[[], Awaitable[Any]]] = {}


def experiment(function: Callable[[], Awaitable[Any]]) -> Callable[[], Awaitable[Any]]:
    EXPERIMENTS[function.__name__] = function
    return function


@asynccontextmanager
async def connect(server: Any, *, lists: bool = True) -> AsyncIterator[Any]:
    """A client that lists first, as hosts do that keep their session."""
    async with create_connected_server_and_client_session(server) as client:
        if lists:
            await client.list_tools()
        yield client


def tools(*names: str) -> list[types.Tool]:
    return [types.Tool.model_validate(stub(name) if name in MOVED else FULL[name]) for name in names]


def dump(value: Any) -> Any:
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


def register(server: Server, *names: str, mark: str = "") -> Server:
    """The two handlers of a plain server that lists ``names``."""
    listed = tools(*(names or ("find", "lend", "plain")))

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return listed

    @server.call_tool()
    async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
        text = [types.TextContent(type="text", text=f"{mark}{name} {json.dumps(arguments)}")]
        return (text, {"days": 1}) if name == "lend" else (text, {"ok": True}) if name == "plain" else text

    return server


async def tour(server: Any, name: str = "find", good: Any = None, bad: Any = None) -> dict[str, Any]:
    """What matters of a server: the list, a call before the fetch, and a good and a bad one after it."""
    good, bad = good or {"words": "tidal"}, bad or {"words": "t"}
    async with connect(getattr(server, "_mcp_server", server)) as client:
        listed = [tool.name for tool in (await client.list_tools()).tools]
        gated = await client.call_tool(name, good)
        fetched = json.loads((await client.read_resource(f"{URI}?tools={name}")).contents[0].text)
        bad_result, good_result = await client.call_tool(name, bad), await client.call_tool(name, good)
        return {
            "listed": listed,
            "gated": "TOOL_DESCRIPTION_REQUIRED" in gated.content[0].text,
            "schema": fetched[name].get("inputSchema"),
            "bad": bad_result.content[0].text,
            "good": good_result.content[0].text,
            "resources": [str(resource.uri) for resource in (await client.list_resources()).resources],
        }


# --- when and how handlers are registered -----------------------------------------------------------------------------


@experiment
async def enabled_first() -> Any:
    return await tour(register(pd.enable(Server("desk"))))


@experiment
async def enabled_last() -> Any:
    return await tour(pd.enable(register(Server("desk"))))


@experiment
async def enabled_in_between() -> Any:
    server = Server("desk")

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return tools("find", "lend", "plain")

    pd.enable(server)

    @server.call_tool()
    async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
        return [types.TextContent(type="text", text=f"{name} {json.dumps(arguments)}")]

    return await tour(server)


@experiment
async def enabled_twice() -> Any:
    server = register(pd.enable(Server("desk")))
    assert pd.enable(pd.enable(server, stdio="off")) is server
    return await tour(server)


@experiment
async def registered_twice() -> Any:
    return await tour(register(register(pd.enable(Server("desk")), "plain", mark="old ")))


@experiment
async def handlers_that_call_the_ones_they_replace() -> Any:
    server = register(pd.enable(Server("desk")))
    for kind in (types.ListToolsRequest, types.CallToolRequest, types.ReadResourceRequest, types.ListResourcesRequest):

        def traced(inner: Any) -> Any:
            async def handler(request: Any) -> Any:
                return await inner(request)

            return handler

        server.request_handlers[kind] = traced(server.request_handlers[kind])
    return await tour(server)


@experiment
async def handlers_put_into_the_table() -> Any:
    """Without the decorators, so the SDK has no cache of tools and validates nothing: as it was before."""

    async def list_tools(_request: Any) -> types.ServerResult:
        return types.ServerResult(types.ListToolsResult(tools=tools("find", "lend", "plain")))

    async def call_tool(request: types.CallToolRequest) -> types.ServerResult:
        text = f"{request.params.name} {json.dumps(request.params.arguments)}"
        return types.ServerResult(types.CallToolResult(content=[types.TextContent(type="text", text=text)]))

    found = []
    for way in ("update", "setdefault"):
        server = pd.enable(Server("desk"))
        if way == "update":
            server.request_handlers.update({types.ListToolsRequest: list_tools})
        else:
            server.request_handlers.setdefault(types.ListToolsRequest, list_tools)
        server.request_handlers[types.CallToolRequest] = call_tool
        found.append(await tour(server))
    return found


@experiment
async def resources_in_two_pages() -> Any:
    server = register(pd.enable(Server("desk")))

    @server.list_resources()
    async def list_resources(request: types.ListResourcesRequest) -> types.ListResourcesResult:
        first = request.params is None or request.params.cursor is None
        uri = "x://one" if first else "x://two"
        resource = types.Resource.model_validate({"uri": uri, "name": uri})
        return types.ListResourcesResult(resources=[resource], nextCursor="two" if first else None)

    async with connect(server) as client:
        pages = [await client.list_resources(), await client.list_resources(cursor="two")]
    return [[[str(resource.uri) for resource in page.resources], page.nextCursor] for page in pages]


@experiment
async def tools_that_change() -> Any:
    """Between two lists the server changes a tool in place, replaces one and adds one."""
    server = pd.enable(Server("desk"))
    listed = [types.Tool(name=name, description=f"Old {name}.", inputSchema={"type": "object"}) for name in "ab"]

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return listed

    @server.call_tool()
    async def call_tool(name: str, _arguments: dict[str, Any]) -> Any:
        return [types.TextContent(type="text", text=f"ran {name}")]

    async def stubs() -> Any:
        return {tool.name: [tool.description, tool.inputSchema] for tool in (await client.list_tools()).tools[:-1]}

    async with connect(server) as client:
        before = await stubs()
        unlisted = json.loads((await client.read_resource(f"{URI}?tools=c")).contents[0].text)
        listed[0].inputSchema["properties"] = {"x": {"type": "string", "description": "gone from the stub"}}
        listed[1] = types.Tool(name="b", description="New b.", inputSchema={"type": "object"})
        listed.append(types.Tool(name="c", inputSchema={"type": "object"}))
        after = await stubs()
        called = (await client.call_tool("c", {})).content[0].text
        fetched = json.loads((await client.read_resource(f"{URI}?tools=a")).contents[0].text)
    return [before, unlisted["c"]["error"], after, "TOOL_DESCRIPTION_REQUIRED" in called, fetched["a"]["inputSchema"]]


# --- the tool cache of the SDK ----------------------------------------------------------------------------------------


@experiment
async def cache_after_a_refresh_by_the_sdk() -> Any:
    """The SDK asks the list handler with None; a call in a session that never listed is validated all the same."""
    server = register(pd.enable(Server("desk"), stdio="off"))
    await server.request_handlers[types.ListToolsRequest](None)
    refreshed = {name: dump(server._tool_cache.get(name)) for name in server._tool_cache}
    fresh = register(pd.enable(Server("desk"), stdio="off"))
    async with connect(fresh) as client:
        first = await client.call_tool("find", {"words": "t"})
    return {"cache": refreshed, "first": first.content[0].text}


@experiment
async def listed_objects_are_never_changed() -> Any:
    server = pd.enable(Server("desk"))
    listed = tools("find", "plain")
    before = [dump(tool) for tool in listed]

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return listed

    async with connect(server) as client:
        await client.list_tools()
        await client.read_resource(f"{URI}?tools=find,plain")
    return [dump(tool) for tool in listed] == before


# --- resources --------------------------------------------------------------------------------------------------------


@experiment
async def no_resources_of_its_own() -> Any:
    early = pd.enable(Server("desk"))
    capabilities = early.get_capabilities(NotificationOptions(), {})
    server = register(early)
    async with connect(server) as client:
        try:
            await client.read_resource("x://nothing")
        except McpError as error:
            raised = dump(error.error)
        resources = [str(resource.uri) for resource in (await client.list_resources()).resources]
    late = pd.enable(register(Server("desk"))).get_capabilities(NotificationOptions(), {})
    by_hand = types.ServerCapabilities(tools=types.ToolsCapability())
    options = InitializationOptions(server_name="x", server_version="1", capabilities=by_hand)
    said = (await initialized(server, options)).capabilities
    return {
        "by hand": [said.resources is not None, said.tools is not None, by_hand.resources is None],
        "capability": [capabilities.resources is not None, late.resources is not None],
        "no tools yet": capabilities.tools is None,
        "raised": raised,
        "resources": resources,
    }


# --- several servers, many sessions -----------------------------------------------------------------------------------


async def sessions(server: Server, fetch: bool, count: int) -> list[bool]:
    """Whether each of ``count`` sessions, one after the other, may call the tool."""
    opened = []
    for number in range(count):
        async with connect(server) as client:
            if fetch:
                await client.read_resource(f"{URI}?tools=find")
            result = await client.call_tool("find", {"words": "ab"})
            opened.append(not result.isError and "TOOL_DESCRIPTION_REQUIRED" not in result.content[0].text)
        if number % 20 == 19:
            gc.collect()
    return opened


@experiment
async def many_sessions() -> Any:
    server = register(pd.enable(Server("desk")))
    (core,) = (thing for thing in gc.get_objects() if isinstance(thing, pd.Disclosure))
    fetched = await sessions(server, True, 200)
    gc.collect()
    held = len(core._sessions)
    fresh = await sessions(server, False, 200)
    gc.collect()
    return {"fetched": sum(fetched), "held": [held, len(core._sessions)], "fresh": sum(fresh)}


@experiment
async def outside_a_request() -> Any:
    """A unit test that calls the handler itself: there is no session, so nothing is refused."""
    server = register(pd.enable(Server("desk")))
    sent = {"method": "tools/call", "params": {"name": "find", "arguments": {"words": "ab"}}}
    result = await server.request_handlers[types.CallToolRequest](types.CallToolRequest.model_validate(sent))
    return dump(result)["content"][0]["text"]


@experiment
async def a_granted_call_costs_no_listing() -> Any:
    server = pd.enable(Server("desk"))
    listings: list[int] = []

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        listings.append(1)
        return tools("find")

    @server.call_tool()
    async def call_tool(_name: str, _arguments: dict[str, Any]) -> Any:
        return []

    async with connect(server) as client:
        await client.read_resource(f"{URI}?tools=find")
        before = len(listings)
        results = [await call(client, "find", {"words": "ab"}) for _ in range(5)]
    return [len(listings) - before, [result.isError for result in results]]


# --- whether a session has listed -------------------------------------------------------------------------------------


async def call(client: Any, name: str, arguments: dict[str, Any]) -> Any:
    """A call and nothing else: ``call_tool`` of the SDK lists the tools after it, to check the result."""
    parameters = types.CallToolRequestParams(name=name, arguments=arguments)
    request = types.CallToolRequest(method="tools/call", params=parameters)
    return await client.send_request(types.ClientRequest(request), types.CallToolResult)


async def is_refused(client: Any) -> bool:
    result = await call(client, "find", {"words": "ab"})
    return "TOOL_DESCRIPTION_REQUIRED" in result.content[0].text


@experiment
async def listings_that_count() -> Any:
    """Whether a call is refused after each thing that a session, or the server by itself, does."""
    server = pd.enable(Server("desk"))
    waiting, go, fail = anyio.Event(), anyio.Event(), True

    @server.list_tools()
    async def list_tools(request: types.ListToolsRequest) -> types.ListToolsResult:
        cursor = request.params.cursor if request is not None and request.params else None
        if cursor == "fails" and fail:
            raise ValueError("no such page")
        if cursor == "waits":
            waiting.set()
            await go.wait()
        return types.ListToolsResult(tools=tools("find", "plain") if cursor is None else [], nextCursor="two")

    @server.call_tool()
    async def call_tool(name: str, _arguments: dict[str, Any]) -> Any:
        await server.request_handlers[types.ListToolsRequest](types.ListToolsRequest(method="tools/list"))
        return [types.TextContent(type="text", text=f"ran {name}")]

    found = {}
    async with connect(server, lists=False) as client:
        found["nothing"] = await is_refused(client)
        found["a call for which the server lists its tools"] = await is_refused(client)
        await client.list_tools()
        found["a page after a call"] = await is_refused(client)
    async with connect(server, lists=False) as client:
        await client.read_resource(f"{URI}?tools=plain")
        await call(client, "desk_describe_tools", {"names": ["plain"]})
        found["fetches"] = await is_refused(client)
    async with connect(server, lists=False) as client:
        try:
            await client.list_tools(cursor="fails")
        except McpError:
            found["a listing that fails"] = await is_refused(client)
    async with connect(server, lists=False) as client, anyio.create_task_group() as group:
        group.start_soon(lambda: client.list_tools(cursor="waits"))
        await waiting.wait()
        found["a listing that is not answered yet"] = await is_refused(client)
        go.set()
    async with connect(server, lists=False) as client:
        await client.list_tools()
        found["a page"] = await is_refused(client)
    return found


@experiment
async def a_tool_and_a_listing_that_fail() -> Any:
    """What a client gets of a tool's own error when the listing for its description fails."""
    server, asked = pd.enable(Server("desk"), stdio="advise"), 0

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        nonlocal asked
        asked += 1
        if asked > 1:
            raise ValueError("no listing now")
        return tools("plain")

    @server.call_tool()
    async def call_tool(_name: str, _arguments: dict[str, Any]) -> Any:
        raise ValueError("the tool's own error")

    async with connect(server) as client:
        return [block.text for block in (await call(client, "plain", {})).content]


# --- names ------------------------------------------------------------------------------------------------------------


@experiment
async def odd_names() -> Any:
    names = ["a,b", "a", "b", "naïve tool", "c++", "100%", "error", "x?y#z&tools=a", "a b"]
    server = pd.enable(Server("desk"))

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return [types.Tool(name=name, description=f"Tool {name}.", inputSchema={"type": "object"}) for name in names]

    @server.call_tool()
    async def call_tool(name: str, _arguments: dict[str, Any]) -> Any:
        return [types.TextContent(type="text", text=f"ran {name}")]

    answers = {}
    async with connect(server) as client:
        for name in names:
            refused = (await client.call_tool(name, {})).structuredContent["error"]
            fetched = json.loads((await client.read_resource(refused["resource_uri"])).contents[0].text)
            ran = (await client.call_tool(name, {})).content[0].text
            answers[name] = [list(fetched), ran]
        ways = {}
        for query in ("c++", "c%2B%2B", "a,c%2B%2B", "c%2B%2B%2Ca", "a+b", "a%20b,c%2B%2B"):
            fetched = json.loads((await client.read_resource(f"{URI}?tools={query}")).contents[0].text)
            ways[query] = [name for name in fetched if "error" not in fetched[name]]
    return answers, ways


@experiment
async def tools_without_a_description() -> Any:
    server = pd.enable(Server("desk"))
    details = "Args:\n    desk: Which one. From 1."
    texts = {"lend_book": None, "take_back": "", "found": "Find it. More.", "shut_desk": details}

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return [types.Tool(name=name, description=text, inputSchema={"type": "object"}) for name, text in texts.items()]

    async with connect(server) as client:
        listed = {tool.name: tool.description for tool in (await client.list_tools()).tools if tool.name in texts}
        entries = json.loads((await client.read_resource(f"{URI}?tools={','.join(texts)}")).contents[0].text)
    return {name: [listed[name], entries[name]["description"]] for name in texts}


@experiment
async def a_server_without_tools() -> Any:
    server = pd.enable(Server("desk"))

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return []

    async with connect(server) as client:
        listed = (await client.list_tools()).tools
        missing = json.loads((await client.read_resource(URI)).contents[0].text)
    bare = pd.enable(Server("y"))
    async with connect(bare, lists=False) as client:
        described = json.loads((await client.read_resource(f"{URI}?tools=a")).contents[0].text)
    return [listed, missing["error"]["code"], described["a"]["error"]]


@experiment
async def a_tool_that_has_an_argument_of_the_receipts_name() -> Any:
    schema = {"type": "object", "properties": {"description_receipt": {"type": "integer"}}, "required": []}
    name = pd.receipt_name(schema)
    return {
        "name": name,
        "stub": pd.with_receipt(schema, name),
        "full": pd.with_receipt(schema, name, "abcd"),
        "bare": pd.with_receipt({"type": "object"}, pd.receipt_name({}), "abcd"),
        "unchanged": schema,
    }


# --- instructions -----------------------------------------------------------------------------------------------------


@experiment
async def instructions() -> Any:
    result = []
    for own in (None, "", "Mine.", "m" * 1700, "m" * 1980, "m" * 2047, "m" * 5000, "trailing  \n"):
        server = register(pd.enable(Server("desk", instructions=own)))
        by_hand = InitializationOptions(server_name="x", server_version="1", capabilities=types.ServerCapabilities())
        for given, options in ((own, server.create_initialization_options()), (None, by_hand)):
            result.append([given, await handshake(server, options), server.instructions == own])
    return result


async def handshake(server: Server, options: InitializationOptions) -> str | None:
    said: str | None = (await initialized(server, options)).instructions
    return said


async def initialized(server: Server, options: InitializationOptions) -> Any:
    from mcp import ClientSession
    from mcp.shared.memory import create_client_server_memory_streams

    streams = create_client_server_memory_streams()
    async with streams as ((read, write), (server_read, server_write)), anyio.create_task_group() as group:
        group.start_soon(server.run, server_read, server_write, options)
        async with ClientSession(read, write) as client:
            result = await client.initialize()
        group.cancel_scope.cancel()
    return result


# --- logs and start-up ------------------------------------------------------------------------------------------------


@experiment
async def log() -> Any:
    """What is fetched, refused, limited or unknown is logged with the session; what is not gated is said once."""
    records: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: records.append(f"{record.levelname} {record.getMessage()}")  # type: ignore[method-assign]
    logger = logging.getLogger("progressive_disclosure")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    server = register(pd.enable(Server("desk")))
    async with connect(server) as client:
        await client.call_tool("find", {"words": "ab"})
        await client.read_resource(f"{URI}?tools=find,nonsense")
        await client.list_tools()
        await client.list_tools()
    async with connect(server, lists=False) as client:
        for _ in range(2):
            await call(client, "find", {"words": "ab"})
        for _ in range(61):
            await client.read_resource(f"{URI}?tools=plain")
    for _ in range(20):  # each in the memory of the one before
        async with connect(server) as client:
            await client.call_tool("lend", {})
    return list(dict.fromkeys(records))


@experiment
async def start() -> Any:
    """Why the server does not start, for every way to get it wrong; None where it does."""
    refused = []
    for arguments in ({}, {"stdio": "receipt"}, {"http": "receipt"}, {"http": "Enforce"}, {"stdio": None}):
        try:
            pd.enable(Server("desk"), **arguments)
        except (ValueError, RuntimeError) as error:
            refused.append(f"{type(error).__name__}: {error}")
        else:
            refused.append(None)
    return refused


@experiment
async def edited_files() -> Any:
    """What a fetch serves after each change to the files, while the server runs."""
    server = register(pd.enable(Server("desk")))
    file, other = pd.FOLDER / "find.json", pd.FOLDER / "zz.json"
    original = file.read_text()
    words = json.dumps({"name": "plain", "summary": "Plainly.", "usage_guidance": {"a": 1}, "examples": []})
    changes: dict[str, Callable[[], Any]] = {
        "nothing": lambda: None,
        "new text": lambda: file.write_text(original.replace("Find books by words.", "Find books.")),
        "not JSON": lambda: file.write_text("{"),
        "no schema": lambda: file.write_text(json.dumps({"name": "find", "description": "Gone."})),
        "a schema that is no object": lambda: file.write_text(json.dumps({"name": "find", "inputSchema": []})),
        "another name": lambda: file.write_text(original.replace('"name": "find"', '"name": "found"')),
        "a list": lambda: file.write_text("[1, 2]"),
        "removed": file.unlink,
        "restored": lambda: file.write_text(original),
        "a second file for the tool": lambda: other.write_text(original.replace("Find books", "Lose books")),
        "a file for a tool of the code": lambda: other.write_text(words),
    }
    seen = {}
    async with connect(server) as client:
        for change, make in changes.items():
            make()
            answer = json.loads((await client.read_resource(f"{URI}?tools=find,plain")).contents[0].text)
            bad = await client.call_tool("find", {"words": "t"})
            seen[change] = [answer["find"]["description"][:12], bad.content[0].text]
        file.write_text(original.replace("Find books", "Seek books"))
        bridged = await client.call_tool("desk_describe_tools", {"names": ["find"]})
        listed = {tool.name: tool.description for tool in (await client.list_tools()).tools}
    async with connect(server) as client:
        file.write_text(original.replace("Find books", "Hunt books"))
        refused = await client.call_tool("find", {})
    told = {"by the bridge": bridged.content[0].text, "by a refusal": refused.content[0].text}
    return {"seen": seen, "plain": sorted(answer["plain"]), "summary": listed["plain"], "told": told}


@experiment
async def broken_files() -> Any:
    """Why the server does not start, for every content that a moved tool's file can wrongly have."""
    file = pd.FOLDER / "find.json"
    contents: dict[str, bytes] = {
        "not JSON": b"{",
        "not UTF-8": b'{"name": "\xff"}',
        "a list": b"[]",
        "no name": b'{"inputSchema": {}}',
        "another name": b'{"name": "found", "inputSchema": {}}',
        "no schema": b'{"name": "find", "description": "d"}',
        "a schema that is no object": b'{"name": "find", "inputSchema": "x"}',
        "a description that is no text": b'{"name": "find", "inputSchema": {}, "description": 1}',
    }
    found = {}
    for case, content in contents.items():
        file.write_bytes(content)
        found[case] = (await start())[0]
    file.unlink()
    return {**found, "missing": (await start())[0]}


@experiment
async def what_is_said_of_files() -> Any:
    """What the log says of description files, and whether the server is as ever."""
    said: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger("progressive_disclosure").addHandler(handler)
    return {"tour": await tour(register(pd.enable(Server("desk")))), "said": sorted(set(said))}


@experiment
async def weak() -> Any:
    """Nothing of ours keeps a server alive."""
    server = register(pd.enable(Server("desk")))
    await tour(server)
    reference = weakref.ref(server)
    del server
    gc.collect()
    return reference() is None


if __name__ == "__main__":
    names = [name for name in sys.argv[1].split(",") if name]
    sys.stdout.write(json.dumps({name: anyio.run(EXPERIMENTS[name]) for name in names}))
