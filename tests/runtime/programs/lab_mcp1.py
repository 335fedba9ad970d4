"""Servers of mcp 1.x built in odd ways, each asked in one process: ``lab_mcp1.py NAME,NAME`` prints JSON."""

from __future__ import annotations

import importlib
import io
import json
import logging
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import anyio
import progressive_disclosure as pd
from lab import BRIDGE, URI, Pipe, answering, enabled, experiment, lists, main, page, piped, register, tools, tour
from mcp import ClientSession, types
from mcp.server.lowlevel import Server
from mcp.shared.memory import create_client_server_memory_streams


def dump(value: Any) -> Any:
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


# --- handlers and the tool cache of the SDK ---------------------------------------------------------------------------


@experiment
async def handlers_put_into_the_table() -> Any:
    """Without the decorators, so the SDK has no cache of tools and validates nothing: as it was before."""

    async def list_tools(_request: Any) -> types.ServerResult:
        return types.ServerResult(types.ListToolsResult(tools=tools("find", "lend", "plain")))

    async def call_tool(request: types.CallToolRequest) -> types.ServerResult:
        return types.ServerResult(await answering()(request.params.name, request.params.arguments))

    server = pd.enable(Server("desk"))
    server.request_handlers.update({types.ListToolsRequest: list_tools})
    server.request_handlers.setdefault(types.CallToolRequest, call_tool)
    return await tour(server)


@experiment
async def cache_after_a_refresh_by_the_sdk() -> Any:
    """The SDK asks the list handler with None; a call in a session that never listed is validated all the same."""
    server = register(pd.enable(Server("desk"), stdio="off"))
    await server.request_handlers[types.ListToolsRequest](None)
    refreshed = {name: dump(server._tool_cache.get(name)) for name in server._tool_cache}
    async with piped(register(pd.enable(Server("desk"), stdio="off")), lists=False) as pipe:
        first = await pipe.call("find", {"words": "t"})
    return {"cache": refreshed, "first": first["content"][0]["text"]}


@experiment
async def listed_objects_are_never_changed() -> Any:
    listed = tools("find", "plain")
    before = [dump(tool) for tool in listed]

    async def list_tools(_cursor: Any) -> types.ListToolsResult:
        return page(listed)

    async with piped(enabled(list_tools)) as pipe:
        await pipe.read(f"{URI}?tools=find,plain")
    return [dump(tool) for tool in listed] == before


@experiment
async def outside_a_request() -> Any:
    """A unit test that calls the handler itself: there is no session, so nothing is refused."""
    server = register(pd.enable(Server("desk")))
    sent = {"method": "tools/call", "params": {"name": "find", "arguments": {"words": "ab"}}}
    result = await server.request_handlers[types.CallToolRequest](types.CallToolRequest.model_validate(sent))
    return dump(result)["content"][0]["text"]


@experiment
async def a_tool_and_a_listing_that_fail() -> Any:
    """What a client gets of a tool's own error when the listing fails that the gate, or its description, needs."""

    async def call_tool(_name: str, _arguments: dict[str, Any]) -> Any:
        raise ValueError("the tool's own error")

    found = []
    for policy in ("enforce", "advise"):
        asked: list[int] = []

        async def list_tools(_cursor: Any, asked: list[int] = asked) -> Any:
            asked.append(1)
            if len(asked) > 1:
                raise ValueError("no listing now")
            return page(tools("plain"))

        server = pd.enable(Server("desk"), stdio=policy)
        lists(server, list_tools)
        server.call_tool()(call_tool)
        async with piped(server) as pipe:
            found.append([block["text"] for block in (await pipe.call("plain"))["content"]])
    return found


# --- runs, transports and reloading -----------------------------------------------------------------------------------


class Anything(Server):
    """Its ``run`` takes whatever comes."""

    async def run(self, *streams: Any, **options: Any) -> None:
        if streams:
            await super().run(*streams, **options)
            return
        await super().run(*self.streams, self.create_initialization_options())


@experiment
async def a_server_that_overrides_run() -> Any:
    server = register(pd.enable(Anything("desk")))
    streams = create_client_server_memory_streams()
    async with streams as ((read, write), server.streams), anyio.create_task_group() as group:
        group.start_soon(server.run)
        async with ClientSession(read, write) as client:
            about = await client.initialize()
            await client.list_tools()
            refused, ran = [await client.call_tool("find", {"words": "tidal"}) for _ in range(2)]
        group.cancel_scope.cancel()
    said = (about.instructions or "").count(URI)
    return [said, about.capabilities.resources is not None, refused.isError, ran.isError]


@experiment
async def a_module_that_is_reloaded() -> Any:
    server = register(pd.enable(Server("desk")))
    again = importlib.reload(pd)
    again.enable(server)
    async with piped(server) as pipe:
        listed = [tool["name"] for tool in (await pipe.tools())["tools"]]
        return [listed, *[await pipe.refused() for _ in range(2)]]


@experiment
async def a_grant_that_comes_while_the_gate_lists() -> Any:
    server, asked, go = pd.enable(Server("desk"), stdio="strict"), anyio.Event(), anyio.Event()

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        if sessions:
            asked.set()
            await go.wait()
        return tools("find")

    sessions: list[Any] = []
    server.call_tool()(answering())
    async with piped(server) as pipe:
        sessions += server.request_handlers._sessions.values()
        number = await pipe.post("tools/call", name="find", arguments={"words": "ab"})
        await asked.wait()
        sessions[0].granted.add("find")
        go.set()
        answer = await pipe.message()
    return [answer["id"] == number, answer["result"]["content"][0]["text"]]


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
        for _ in range(2):
            await pipe.call("find")
    return found


# --- names ------------------------------------------------------------------------------------------------------------


def described(texts: dict[str, str | None]) -> Server:
    """A server of tools with these descriptions, which take anything."""

    async def list_tools(_cursor: Any) -> types.ListToolsResult:
        return page([types.Tool(name=name, description=text, inputSchema={}) for name, text in texts.items()])

    return enabled(list_tools)


@experiment
async def odd_names() -> Any:
    names = ["a,b", "a", "b", "naïve tool", "c++", "100%", "error", "x?y#z&tools=a", "a b"]
    answers, ways = {}, {}
    async with piped(described({name: f"Tool {name}." for name in names})) as pipe:
        for name in names:
            refused = (await pipe.call(name))["structuredContent"]["error"]
            fetched = await pipe.read(refused["resource_uri"])
            answers[name] = [list(fetched), (await pipe.call(name))["content"][0]["text"]]
        for query in ("c++", "c%2B%2B", "a,c%2B%2B", "c%2B%2B%2Ca", "a+b", "a%20b,c%2B%2B"):
            fetched = await pipe.read(f"{URI}?tools={query}")
            ways[query] = [name for name in fetched if "error" not in fetched[name]]
    return answers, ways


async def bridged(pipe: Pipe, names: Any) -> Any:
    """What the bridge answers."""
    return json.loads((await pipe.call(BRIDGE, {"names": names}))["content"][0]["text"])


@experiment
async def names_that_arrive_as_text() -> Any:
    found = {}
    async with piped(register(pd.enable(Server("desk")))) as pipe:
        for names in ('["find","lend"]', ' ["find"]', "['find']", '"find"', "find, lend", ["find"], None, []):
            answer = await bridged(pipe, names)
            found[json.dumps(names)] = answer.get("error", [*answer])
    return found


@experiment
async def names_with_blanks_at_an_end() -> Any:
    async with piped(described(dict.fromkeys((" a", "b ", "c", "größe"), "Odd."))) as pipe:
        answers = await pipe.read(f"{URI}?tools=%20a,b%20,c%20"), await bridged(pipe, '["c","b "," a","größe"]')
    return [[name for name in found if "error" not in found[name]] for found in answers]


@experiment
async def tools_without_a_description() -> Any:
    details = "Args:\n    desk: Which one. From 1."
    texts = {"lend_book": None, "take_back": "", "found": "Find it. More.", "shut_desk": details}
    async with piped(described(texts)) as pipe:
        listed = {tool["name"]: tool.get("description") for tool in (await pipe.tools())["tools"]}
        entries = await pipe.read(f"{URI}?tools={','.join(texts)}")
    return {name: [listed[name], entries[name]["description"]] for name in texts}


@experiment
async def a_server_without_tools() -> Any:
    async with piped(described({})) as pipe:
        listed = (await pipe.tools())["tools"]
        missing = await pipe.read(URI)
    async with piped(pd.enable(Server("y")), lists=False) as pipe:
        entry = (await pipe.read(f"{URI}?tools=a"))["a"]
    return [listed, missing["error"]["code"], entry["error"]]


@experiment
async def a_tool_that_has_an_argument_of_the_receipts_name() -> Any:
    schema = {"type": "object", "properties": {"description_receipt": {"type": "integer"}}, "required": []}
    name = pd.receipt_name(schema)
    return [name, pd.with_receipt(schema, name), pd.with_receipt(schema, name, "abcd"), schema]


# --- logs and start-up ------------------------------------------------------------------------------------------------


def heard(level: int, records: list[str], form: str = "%(message)s") -> None:
    """Have what is logged from this level on put into ``records``."""
    handler = logging.Handler(level)
    handler.setFormatter(logging.Formatter(form))
    handler.emit = lambda record: records.append(handler.format(record))  # type: ignore[method-assign]
    logging.getLogger("progressive_disclosure").addHandler(handler)


@experiment
async def log() -> Any:
    """What is fetched, refused, limited or unknown is logged with the session; what is not gated is said once."""
    records: list[str] = []
    heard(logging.INFO, records, "%(levelname)s %(message)s")
    logging.getLogger("progressive_disclosure").setLevel(logging.INFO)
    server = register(pd.enable(Server("desk")))
    async with piped(server) as pipe:
        await pipe.refused()
        await pipe.read(f"{URI}?tools=find,nonsense")
        await pipe.tools()
    async with piped(server, lists=False) as pipe:
        for _ in range(2):
            await pipe.refused()
        for _ in range(61):
            await pipe.read(f"{URI}?tools=plain")
    for _ in range(20):  # each in the memory of the one before
        async with piped(server) as pipe:
            await pipe.call("lend")
    return list(dict.fromkeys(records))


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


WRONG: dict[str, bytes] = {
    "not JSON": b"{",
    "not UTF-8": b'{"name": "\xff"}',
    "a list": b"[]",
    "no name": b'{"inputSchema": {}}',
    "another name": b'{"name": "found", "inputSchema": {}}',
    "no schema": b'{"name": "find", "description": "d"}',
    "a schema that is no object": b'{"name": "find", "inputSchema": "x"}',
    "a description that is no text": b'{"name": "find", "inputSchema": {}, "description": 1}',
}
"""What the file of a moved tool can wrongly have."""


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
        **{case: partial(file.write_bytes, content) for case, content in WRONG.items()},
        "removed": file.unlink,
        "restored": lambda: file.write_text(original),
        "a second file for the tool": lambda: other.write_text(original.replace("Find books", "Lose books")),
        "a file for a tool of the code": lambda: other.write_text(words),
    }
    seen = {}
    async with piped(server) as pipe:
        for change, make in changes.items():
            make()
            answer = await pipe.read(f"{URI}?tools=find,plain")
            bad = await pipe.call("find", {"words": "t"})
            seen[change] = [answer["find"]["description"][:12], bad["content"][0]["text"]]
        file.write_text(original.replace("Find books", "Seek books"))
        bridged = await pipe.call(BRIDGE, {"names": ["find"]})
        listed = {tool["name"]: tool["description"] for tool in (await pipe.tools())["tools"]}
    async with piped(server) as pipe:
        file.write_text(original.replace("Find books", "Hunt books"))
        refused = await pipe.call("find")
    told = {"by the bridge": bridged["content"][0]["text"], "by a refusal": refused["content"][0]["text"]}
    return {"seen": seen, "plain": sorted(answer["plain"]), "summary": listed["plain"], "told": told}


@experiment
async def broken_files() -> Any:
    """Why the server does not start, for every wrong content."""
    file = pd.FOLDER / "find.json"
    found = {}
    for case, content in WRONG.items():
        file.write_bytes(content)
        found[case] = (await start())[0]
    file.unlink()
    return {**found, "missing": (await start())[0]}


@experiment
async def what_is_said_of_files() -> Any:
    """What the log says of description files, and whether the server is as ever."""
    said: list[str] = []
    heard(logging.WARNING, said)
    return {"tour": await tour(register(pd.enable(Server("desk")))), "said": sorted(set(said))}


if __name__ == "__main__":
    main()
