"""Servers that disclose progressively already, by code of their own: their resource's answers, found by evaluation.

The published implementation guide shows such a server: ``resources/list`` offers ``resource:///tool_descriptions``,
reading it gives full definitions, and a call of a tool is refused until its definition was read.  How the code is
written does not matter here: each handler is called as a client would call it, and its answer counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import quote

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import reachable
from pdmigrate.evaluate.core.budget import BudgetExceededError
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.evaluate.core.operations import call_with
from pdmigrate.evaluate.core.python_values import key_of
from pdmigrate.evaluate.core.values import (
    NONE,
    SESSION,
    Arguments,
    External,
    SdkObject,
    Value,
    const,
    is_sdk,
)
from pdmigrate.evaluate.language.coroutines import awaited
from pdmigrate.model import ByHand, Fixed, JsonObject, Site, Tool
from pdmigrate.recognise.sdk.objects import handler_for
from pdmigrate.recognise.source.moving import Handler, handler_of
from pdmigrate.sdk_names import TYPES
from pdmigrate.tree.documents import DocumentError, read_json

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

ADDRESS = "resource:///tool_descriptions"
REFUSAL = "TOOL_DESCRIPTION_REQUIRED"
CODE = "PD532"
LISTS, READS, CALLS = "list_resources", "read_resource", "call_tool"

_REQUESTS = {LISTS: LISTS, READS: READS, CALLS: "CallToolRequest"}
_SPEAKS = b"tool_descriptions"


def by_hand(run: Interpreter, server: SdkObject, tools: Sequence[Tool]) -> ByHand | Fixed | None:
    """How ``server``, in the state in which it answers, discloses ``tools`` by itself.

    ``None`` if it does not, ``Fixed`` if it does in a way that cannot be settled or does not follow the guide.
    """
    names = dict.fromkeys(tool.name for tool in tools if tool.name)
    if not names or not any(_SPEAKS in run.index.at(path).source.raw for path in _modules(run)):
        return None
    try:
        return _disclosed(run, server, names)
    except (BudgetExceededError, RecursionError):
        return Fixed("what its handlers answer is too complex to evaluate", CODE)


def _disclosed(run: Interpreter, server: SdkObject, tools: Iterable[str]) -> ByHand | Fixed | None:
    handlers = {name: handler for name in _REQUESTS if (handler := _handler(server, name)) is not None}
    offered = _offered(run, server) if LISTS in handlers else None
    if offered is None:
        return None
    for name in (READS, CALLS):
        if name not in handlers:
            return Fixed(f"it offers {ADDRESS}, and no {name} handler of it was found", CODE, offered)
    sites = {name: handler.module.site(handler.node) for name, handler in handlers.items()}
    served: dict[str, JsonObject] = {}
    for tool in tools:
        read = (READS, (const(f"{ADDRESS}?tools={quote(tool)}"),))
        call = (CALLS, (const(tool), reasons.request()))
        before, answer, after = _answers(run, server, call, read, call)
        if not _refuses(before):
            reason = f'{_named(handlers[CALLS])} does not answer "{tool}" with {REFUSAL} before its description is read'
            return Fixed(reason, CODE, sites[CALLS])
        try:
            served[tool] = _definition(answer, tool)
        except _NotTheDefinitionError as problem:
            return Fixed(f'what {_named(handlers[READS])} gives for "{tool}" {problem}', CODE, sites[READS])
        if _refuses(after) and not after.sides:
            reason = f'{_named(handlers[CALLS])} answers "{tool}" with {REFUSAL} after its description is read, too'
            return Fixed(reason, CODE, sites[CALLS])
    sources = _modules(run)
    return ByHand(served, offered, sites, sources, _neighbours(run, sources))


def _modules(run: Interpreter) -> tuple[str, ...]:
    """The files of the project that were executed; others may have been read as data."""
    return tuple(sorted(path for path in run.modules if path.endswith(".py")))


def _neighbours(run: Interpreter, read: Sequence[str]) -> tuple[str, ...]:
    """The other Python files of the tree that name one of the modules in ``read``."""
    stems = {PurePosixPath(path).stem for path in read}
    return tuple(path for path in run.index.whole.saying(*sorted(stems)) if path not in read)


def _handler(server: SdkObject, name: str) -> Handler | None:
    value = _registered(server, name)
    return handler_of(value) if value is not None else None


def _registered(server: SdkObject, name: str) -> SdkObject | None:
    """The handler that the SDK's decorator registered under ``name``; ``None`` if there is none."""
    value = handler_for(server, key_of(External(f"{TYPES}.{_REQUESTS[name]}")))
    return value if is_sdk(value, "decorated handler") else None


def _answers(run: Interpreter, server: SdkObject, *requests: tuple[str, tuple[Value, ...]]) -> list[Value]:
    """The answers of handlers to requests made one after the other in a new session, which is then rolled back."""
    with run.trail.rolled_back():
        run.trail.touch(server)
        session = SdkObject({}, None, SESSION)
        server.names["request_context"] = SdkObject({"session": session}, None, "request context")
        return [_answer(run, server, name, arguments) for name, arguments in requests]


def _answer(run: Interpreter, server: SdkObject, name: str, arguments: tuple[Value, ...]) -> Value:
    handler = _registered(server, name)
    assert handler is not None
    try:
        return awaited(run, call_with(run, handler.names["function"], Arguments(arguments, {})))
    except AbstractRaise as raised:
        return reasons.unknown(reasons.UNSUPPORTED, f"an exception ({raised})")


def _refuses(answer: Value) -> bool:
    return REFUSAL in " ".join(_texts(answer))


def _named(handler: Handler) -> str:
    return f"{handler.name}()"


def _offered(run: Interpreter, server: SdkObject) -> Site | None:
    """Where the resource at ``ADDRESS`` is created, if ``resources/list`` offers it."""
    [answer] = _answers(run, server, (LISTS, ()))
    for resource in _objects(answer, "mcp.types.Resource"):
        address = resource.names.get("uri", NONE).text or ""
        if address.partition("?")[0] == ADDRESS and resource.place:
            return resource.place.module.site(resource.place.node)
    return None


def _objects(value: Value, kind: str) -> Iterator[SdkObject]:
    return (part for part in _parts(value) if is_sdk(part, kind))


def _texts(value: Value) -> Iterator[str]:
    return (text for part in _parts(value) if (text := part.text) is not None)


def _parts(value: Value) -> Iterator[Value]:
    """``value`` and all values inside it, under whatever condition."""
    yield value
    inside = value.as_sdk.names.values() if value.as_sdk is not None else reachable(value)
    for part in inside:
        yield from _parts(part)


class _NotTheDefinitionError(Exception):
    """The answer of a tool's resource is not the tool's definition; the message is the rest of a sentence about it."""


def _definition(answer: Value, tool: str) -> JsonObject:
    """The definition of ``tool`` in the answer of its resource.

    Raises:
        _NotTheDefinitionError: the answer holds something else, or is not known.
    """
    if answer.as_unknown is not None:
        raise _NotTheDefinitionError(f"is not settled by source: {answer.as_unknown.reason}")
    if answer.branches:
        raise _NotTheDefinitionError(f"depends on {answer.branches[0][0].text}")
    if (text := answer.text) is None:
        raise _NotTheDefinitionError("is not text")
    try:
        content = read_json(text.encode())
    except DocumentError:
        raise _NotTheDefinitionError("is not JSON") from None
    definitions = content if isinstance(content, dict) else {}
    definition = definitions.get(tool)
    if not isinstance(definition, dict):
        raise _NotTheDefinitionError("is not an object of definitions by name")
    if others := [json.dumps(key) for key in definitions if key != tool]:
        raise _NotTheDefinitionError(f"holds more than that tool: {', '.join(others)}")
    missing = [key for key in ("name", "description", "inputSchema") if key not in definition]
    if missing:
        raise _NotTheDefinitionError(f"has no {' and no '.join(missing)}")
    if definition["name"] != tool:
        raise _NotTheDefinitionError(f"is called {json.dumps(definition['name'])} there")
    return definition
