"""What a server says over stdio, as values: before its migration, and after it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import quote

from pdmigrate.live.wire import RpcError, Session, StdioTarget, WireError, connect
from pdmigrate.model import JsonObject, JsonValue

UNKNOWN = "benchmark_no_such_tool"
_START, _ANSWER = 90.0, 20.0
_PATIENCE = 60


@dataclass(frozen=True, slots=True)
class Recording:
    """One session.  ``answers`` holds the answers to calls without arguments of tools that need some, by name.

    A list that was answered with an error is that error, as its only entry.
    """

    server: JsonObject
    tools: tuple[JsonObject, ...]
    resources: tuple[JsonObject, ...]
    templates: tuple[JsonObject, ...]
    prompts: tuple[JsonObject, ...]
    unknown: JsonValue
    """The answer to a call of a tool that there is not."""
    answers: dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Migrated:
    """Two sessions with a migrated server: one that lists first, and one that never lists."""

    listed: Recording
    """Its ``answers`` come straight after the fetch of the tool."""
    refusals: dict[str, JsonValue]
    """The answers to the same calls before any fetch."""
    entries: dict[str, JsonValue]
    """The fetched definitions."""
    unlisted: dict[str, JsonValue]
    """The answers straight after the fetch, in a session without ``tools/list``."""


def record(target: StdioTarget) -> Recording:
    """Ask an unmigrated server.

    Raises:
        WireError: it does not start, or does not list its tools.
    """
    with connect(target, timeout=_START) as session:
        return _record(session, lambda names: {name: _call(session, name) for name in names})


def record_migrated(target: StdioTarget) -> Migrated:
    """Ask a migrated one; every tool is called before and after its fetch.

    Raises:
        WireError: it does not start, or does not list its tools.
    """
    refusals: dict[str, JsonValue] = {}
    entries: dict[str, JsonValue] = {}

    def calls(session: Session, names: Iterable[str]) -> dict[str, JsonValue]:
        answers: dict[str, JsonValue] = {}
        for name in names:
            entries[name] = _fetch(session, name)
            answers[name] = _call(session, name)
        return answers

    with connect(target, timeout=_START) as session:

        def gated(names: Iterable[str]) -> dict[str, JsonValue]:
            refusals.update((name, _call(session, name)) for name in names)
            return calls(session, names)

        listed = _record(session, gated)
        for tool in listed.tools:
            if (name := str(tool.get("name"))) not in entries:
                entries[name] = _fetch(session, name)
    with connect(target, timeout=_START) as session:
        session.initialize()
        return Migrated(listed, refusals, entries, calls(session, tuple(listed.answers)))


def needs_arguments(tool: JsonObject) -> bool:
    """Whether a call without arguments is certainly wrong."""
    schema = tool.get("inputSchema")
    return isinstance(schema, dict) and bool(schema.get("required"))


def _record(session: Session, call_all: Callable[[tuple[str, ...]], dict[str, JsonValue]]) -> Recording:
    server = session.initialize()
    tools = tuple(session.list_tools())
    names = tuple(str(tool.get("name")) for tool in tools if needs_arguments(tool))
    return Recording(
        server=server,
        tools=tools,
        # Asked for whether they are declared or not: some servers answer and do not say that they would.
        resources=_listed(session, "resources/list"),
        templates=_listed(session, "resources/templates/list"),
        prompts=_listed(session, "prompts/list"),
        unknown=_call(session, UNKNOWN),
        answers=call_all(names),
    )


def _listed(session: Session, method: str) -> tuple[JsonObject, ...]:
    try:
        return tuple(session.listed(method))
    except RpcError as error:
        return (_error(error),)


def _call(session: Session, name: str) -> JsonValue:
    try:
        return session.request("tools/call", {"name": name, "arguments": {}}, timeout=_ANSWER)
    except RpcError as error:
        return _error(error)
    except WireError as error:
        return {"no answer": error.message.splitlines()[0]}


def _fetch(session: Session, name: str) -> JsonValue:
    """The entry of one tool, after the time that a server with many tools asks for; whatever came instead."""
    entry = _fetch_once(session, name)
    error = entry.get("error") if isinstance(entry, dict) else None
    seconds = error.get("retryAfter") if isinstance(error, dict) else None
    if not isinstance(seconds, int):
        return entry
    time.sleep(min(seconds, _PATIENCE))
    return _fetch_once(session, name)


def _fetch_once(session: Session, name: str) -> JsonValue:
    try:
        result = session.read_resource(f"resource:///tool_descriptions?tools={quote(name, safe='')}")
    except RpcError as error:
        return _error(error)
    except WireError as error:
        return {"no answer": error.message.splitlines()[0]}
    contents = result.get("contents")
    first = contents[0] if isinstance(contents, list) and contents else None
    text = first.get("text") if isinstance(first, dict) else None
    try:
        body: JsonValue = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        body = None
    return body.get(name, body) if isinstance(body, dict) else {"no entry": result}


def _error(error: RpcError) -> JsonObject:
    return {"error": {"code": error.number, "message": error.text, "data": error.data}}
