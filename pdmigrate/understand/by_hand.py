"""Servers that disclose progressively already, by code of their own: their resource's answers, found by evaluation.

The published implementation guide shows such a server: ``resources/list`` offers ``resource:///tool_descriptions``,
reading it gives full definitions, and a call of a tool is refused until its definition was read.  How the code is
written does not matter here: each handler is called as a client would call it, and its answer counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from urllib.parse import quote

from pdmigrate.model import ByHand, Fixed, JsonObject, Site
from pdmigrate.sdk.names import TYPES
from pdmigrate.source.documents import DocumentError, read_json
from pdmigrate.understand.demand.run import ExhaustedError, RaisedError, Run
from pdmigrate.understand.servers.answers import function_of
from pdmigrate.understand.servers.objects import ServerValue
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue
from pdmigrate.understand.values.core import ARGUMENTS, Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import AnyOf
from pdmigrate.understand.values.objects import SESSION, Arguments, Instance, SdkObject, text_of
from pdmigrate.understand.values.outside import Called, External

ADDRESS = "resource:///tool_descriptions"
REFUSAL = "TOOL_DESCRIPTION_REQUIRED"
CODE = "PD532"
LISTS, READS, CALLS = "list_resources", "read_resource", "call_tool"

_REQUESTS = {LISTS: LISTS, READS: READS, CALLS: "CallToolRequest"}


def by_hand(run: Run, server: ServerValue, names: Iterable[str]) -> ByHand | Fixed | None:
    """How ``server``, in the state in which it answers, discloses the tools of these names by itself.

    ``None`` if it does not, ``Fixed`` if it does in a way that cannot be settled or does not follow the guide.
    """
    tools = tuple(dict.fromkeys(names))
    if not tools or not any(path in run.program.loaded for path in run.program.tree.saying("tool_descriptions")):
        return None
    answering, run.answering = run.answering, False  # these requests follow one another: nothing else runs between them
    try:
        with run.demand():
            return _disclosed(run, server, tools)
    except ExhaustedError:
        return Fixed("what its handlers answer is too complex to evaluate", CODE)
    finally:
        run.answering = answering


def _disclosed(run: Run, server: ServerValue, tools: Sequence[str]) -> ByHand | Fixed | None:
    functions = {name: function for name in _REQUESTS if (function := function_of(_handler(server, name))) is not None}
    offered = _offered(run, server) if LISTS in functions else None
    if offered is None:
        return None
    for name in (READS, CALLS):
        if name not in functions:
            return Fixed(f"it offers {ADDRESS}, and no {name} handler of it was found", CODE, offered)
    sites = {name: function.module.site(function.node) for name, function in functions.items()}
    served: dict[str, JsonObject] = {}
    for tool in tools:
        read = (READS, (Const(f"{ADDRESS}?tools={quote(tool)}"),))
        call = (CALLS, (Const(tool), Unknown("the arguments of a call", ARGUMENTS)))
        before, answer, after = _answers(run, server, call, read, call)
        if not _refuses(before):
            named = functions[CALLS].name
            reason = f'{named}() does not answer "{tool}" with {REFUSAL} before its description is read'
            return Fixed(reason, CODE, sites[CALLS])
        definition = _definition(answer, tool)
        if isinstance(definition, str):
            return Fixed(f'what {functions[READS].name}() gives for "{tool}" {definition}', CODE, sites[READS])
        served[tool] = definition
        if _refuses(after) and not isinstance(after, Unknown):
            named = functions[CALLS].name
            reason = f'{named}() answers "{tool}" with {REFUSAL} after its description is read, too'
            return Fixed(reason, CODE, sites[CALLS])
    sources = tuple(sorted(run.program.loaded))
    naming = {path for source in sources for path in run.program.tree.saying(PurePosixPath(source).stem)}
    return ByHand(served, offered, sites, sources, tuple(sorted(naming - set(sources))))


def _handler(server: ServerValue, name: str) -> Value | None:
    """The function that the SDK's decorator registered under ``name``; ``None`` if there is none."""
    value = server.handlers.lookup(External(f"{TYPES}.{_REQUESTS[name]}"))
    return value.args[0] if isinstance(value, Called) and value.callee == "decorated handler" else None


def _answers(run: Run, server: ServerValue, *requests: tuple[str, tuple[Value, ...]]) -> list[Value]:
    """The answers of handlers to requests made one after the other in a new session, which then never was."""
    run.journal.push()
    try:
        run.journal.touch(server.attributes)
        session = SdkObject(SESSION, {})
        server.attributes.data["request_context"] = SdkObject("the context of a request", {"session": session})
        return [_answer(run, server, name, arguments) for name, arguments in requests]
    finally:
        run.journal.undo()


def _answer(run: Run, server: ServerValue, name: str, arguments: tuple[Value, ...]) -> Value:
    handler = _handler(server, name)
    assert handler is not None
    try:
        return run.call(handler, Arguments(list(arguments)))
    except RaisedError as raised:
        return Unknown(f"an exception ({raised})", CODE)


def _refuses(answer: Value) -> bool:
    return any(REFUSAL in text for part in _parts(answer) if (text := text_of(part)) is not None)


def _offered(run: Run, server: ServerValue) -> Site | None:
    """Where the resource at ``ADDRESS`` is created, if ``resources/list`` offers it."""
    [answer] = _answers(run, server, (LISTS, ()))
    for resource in _parts(answer):
        if isinstance(resource, SdkObject) and resource.type == f"{TYPES}.Resource" and resource.site is not None:
            address = resource.data.get("uri")
            text = text_of(address.args[0] if isinstance(address, Called) and address.args else address)  # ``AnyUrl``
            if text is not None and text.partition("?")[0] == ADDRESS:
                return resource.site
    return None


def _parts(value: Value, depth: int = 0) -> Iterator[Value]:
    """``value`` and all values inside it, under whatever condition."""
    yield value
    inside: Iterable[Value] = ()
    if isinstance(value, Maybe):
        inside = (value.value,)
    elif isinstance(value, TupleValue):
        inside = value.items
    elif isinstance(value, AnyOf):
        inside = value.options
    elif isinstance(value, (ListValue, IteratorValue, DictValue, SdkObject, Instance)):
        inside = value.held
    for part in inside if depth < _DEEPEST else ():
        yield from _parts(part, depth + 1)


_DEEPEST = 12


def _definition(answer: Value, tool: str) -> JsonObject | str:
    """The definition of ``tool`` in the answer of its resource; the rest of a sentence about an answer without it."""
    if isinstance(answer, Unknown):
        return f"is not settled by source: {answer.reason}"
    if (text := text_of(answer)) is None:
        return "is not text"
    try:
        content = read_json(text.encode())
    except DocumentError:
        return "is not JSON"
    definitions = content if isinstance(content, dict) else {}
    definition = definitions.get(tool)
    if not isinstance(definition, dict):
        return "is not an object of definitions by name"
    if others := [json.dumps(key) for key in definitions if key != tool]:
        return f"holds more than that tool: {', '.join(others)}"
    missing = [key for key in ("name", "description", "inputSchema") if key not in definition]
    if missing:
        return f"has no {' and no '.join(missing)}"
    if definition["name"] != tool:
        return f"is called {json.dumps(definition['name'])} there"
    return definition
