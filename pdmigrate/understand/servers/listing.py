"""What a server answers to ``tools/list``, from what it was told, and from what the program itself makes of that."""

from __future__ import annotations

from pdmigrate.model import Unknown as UnknownField
from pdmigrate.sdk.families import FASTMCP, SERVER
from pdmigrate.sdk.names import TYPES
from pdmigrate.understand.demand.run import CALLS, ExhaustedError, RaisedError, Run
from pdmigrate.understand.servers.answers import Answer, as_one, blurred, forget_described, once_each, requests
from pdmigrate.understand.servers.composing import overriding, replayed
from pdmigrate.understand.servers.holding import held_tools
from pdmigrate.understand.servers.listed_tools import ListedTool, of_result, values_of
from pdmigrate.understand.servers.methods import METHODS
from pdmigrate.understand.servers.models import is_renamed
from pdmigrate.understand.servers.objects import (
    OTHER_HANDLERS,
    REQUEST,
    DecoratedHandler,
    Middleware,
    Opaque,
    OwnHandler,
    ServerValue,
    asked,
)
from pdmigrate.understand.values.containers import DictValue, ListValue
from pdmigrate.understand.values.core import MUTATED, NONE, Maybe, Unknown, Value
from pdmigrate.understand.values.joining import AnyOf, bare_value
from pdmigrate.understand.values.objects import Arguments, Native, SdkObject, describe
from pdmigrate.understand.values.outside import External

# --- what a program asks a server for ---------------------------------------------------------------------------------


def _list_tools(run: Run, server: ServerValue, _arguments: Arguments) -> Value:
    """``server.list_tools()``: what the SDK would list; of fastmcp the tools themselves, which may be changed."""
    if server.cls is not FASTMCP or (run.answering and server.family.id != "fastmcp2"):
        return _shared(run, values_of(run, replayed(run, server), unconverted=server.cls is FASTMCP))
    if run.answering:
        return run.unsettled("the table of tools")
    seen = any(isinstance(bare_value(event), Middleware) for event in server.data)  # by functions of the program
    return (None if seen else held_tools(run, server)) or values_of(run, replayed(run, server), server)


def _shared(run: Run, tools: ListValue) -> ListValue:
    """The official SDK's copies of its tools, whose schemas share their parts with those that it keeps.

    What is changed while it answers is changed in the answer, too.
    """
    for item in map(bare_value, () if run.answering else tools.data):
        if not isinstance(item, ListedTool) or item.inside is not None or item.listed.tool is None:
            continue
        for name, wire in (("parameters", "inputSchema"), ("output_schema", "outputSchema")):
            part = run.attribute(item.listed.tool, name)
            if isinstance(part, DictValue):
                item.data[wire] = item.made[wire] = DictValue(dict(part.data), part.rest)
    return tools


# --- what the program puts in between ---------------------------------------------------------------------------------


def by_subclass(run: Run, server: ServerValue) -> Answer | None:
    """The answer of a class of the program that overrides what lists the tools; ``None`` if the server is of none."""
    found = overriding(server)
    if found is None:
        return None
    name, method = found
    known = replayed(run, server)
    return _called(run, method, requests(method)) or blurred(known, f"{name} is overridden by the program", MUTATED)


def _called(run: Run, function: Value, arguments: list[Value]) -> Answer | None:
    """The answer that a function of the program gives; ``None`` if nothing is known of it."""
    try:
        result = run.call(function, Arguments(arguments))
    except (RaisedError, ExhaustedError):
        return None
    made = of_result(run, result)
    made.tools = once_each(made.tools)
    return made if made.tools or made.incomplete is None else None


def _handing_on(tools: Value) -> Value:
    return Native("call_next", lambda _run, _arguments: tools)


def through_middleware(run: Run, server: ServerValue, found: Answer) -> Answer:
    """An answer after the middleware of the program has seen it, the innermost first."""
    for event in reversed(server.data):
        inner = bare_value(event)
        for hook in inner.hooks if isinstance(inner, Middleware) else ():
            result = _called(run, hook, [asked(), _handing_on(values_of(run, found, unconverted=True))])
            if result is None or isinstance(event, Maybe):
                result = blurred(found, "a middleware of the server is not followed", MUTATED)
            found = result
    return found


METHODS.update(
    dict.fromkeys(
        ("list_tools", "_list_tools_mcp", "_list_tools", "_handle_list_tools", "_list_tools_middleware"), _list_tools
    )
)


# --- what a server lists ----------------------------------------------------------------------------------------------


NO_HANDLER = "no list handler of it was found"


def answer(run: Run, server: ServerValue) -> Answer:
    """What ``server`` lists in the present state of the program."""
    if server.cls is SERVER:
        found = _by_handlers(run, server)
        for event in map(bare_value, server.data):
            if isinstance(event, Opaque):
                found = blurred(found, event.why.reason, event.why.code)
    else:
        found = _by_functions(run, server)
        if server.family.package == "fastmcp":
            forget_described(found.tools)
    if server.refused:
        found.incomplete = f"the server does not start: {server.refused}"
    for key in ("unknown import", "registers on unknown", "removes on unknown", "raises"):
        doubt = run.memory.get(key)
        if isinstance(doubt, Unknown):
            found.incomplete = found.incomplete or doubt.reason
            for tool in found.tools if key in ("removes on unknown", "raises") else ():
                tool.conditions = (*tool.conditions, doubt.reason)
    if server.cls is SERVER and found.handler is None:
        found.incomplete = found.incomplete or NO_HANDLER
    unknown = next((tool.fields.get("name") for tool in found.tools if tool.name is None), None)
    if isinstance(unknown, UnknownField):
        found.incomplete = found.incomplete or f"a tool has a name that is not known: {unknown.reason}"
        # One that may be absent besides says no more than this.
        found.tools = [tool for tool in found.tools if tool.name is not None or not tool.conditions]
    return found


def _by_functions(run: Run, server: ServerValue) -> Answer:
    """The answer of a server whose tools are functions, or of a handler of the program in the place of the SDK's."""
    below = server.below
    handler = _list_handler(run, below) if below is not None else None
    replaced = handler is not None and not isinstance(handler, OwnHandler)
    if below is not None and (below.data or replaced or below.handlers.rest not in (None, OTHER_HANDLERS)):
        if replaced and not below.data:
            return _by_handlers(run, below)
        return blurred(_own_answer(run, server), "the low-level server is changed", MUTATED)
    return _own_answer(run, server)


def _own_answer(run: Run, server: ServerValue) -> Answer:
    return through_middleware(run, server, by_subclass(run, server) or replayed(run, server))


_LIST = External(f"{TYPES}.ListToolsRequest")


def _handled(run: Run, handler: DecoratedHandler, arguments: Arguments) -> Value:
    """The result of a handler that a low-level server made of a function, for a program that calls it."""
    if handler.request != _LIST:
        return handler.implementation(run, arguments)
    result = run.call(handler.function, Arguments(requests(handler.function)[:1], site=run.site()))
    if isinstance(result, Unknown):
        return result
    listed = result if isinstance(result, SdkObject) else SdkObject(f"{TYPES}.ListToolsResult", {"tools": result})
    return SdkObject(f"{TYPES}.ServerResult", {"root": listed})


CALLS[OwnHandler], CALLS[DecoratedHandler] = CALLS[Native], _handled


# --- low-level servers ------------------------------------------------------------------------------------------------


def _list_handler(run: Run, server: ServerValue) -> Value | None:
    key = (True, "tools/list") if is_renamed(run.versions) else _LIST
    return server.handlers.lookup(key)


def _by_handlers(run: Run, server: ServerValue) -> Answer:
    handler = _list_handler(run, server)
    if handler is None or handler == NONE:
        rest = server.handlers.rest
        return Answer([], rest.reason if rest is not None else None)
    if isinstance(handler, AnyOf) and handler.sure and not handler.none:
        answers = []
        for option in handler.options:
            run.journal.push()
            answers.append(_by_handler(run, server, option))
            run.journal.undo()
        return as_one(answers)
    return _by_handler(run, server, handler)


def _by_handler(run: Run, server: ServerValue, handler: Value) -> Answer:
    conditions: tuple[str, ...] = ()
    if isinstance(handler, Maybe):
        conditions, handler = (handler.condition,), handler.value
    function = handler.function if isinstance(handler, DecoratedHandler) else handler
    if isinstance(function, Unknown):
        conditions = (*conditions, function.reason)  # it may be one of several, or none
    escapes, run.escapes = run.escapes, []
    made = _first_page(run, server, handler)
    if run.escapes:
        conditions = (*conditions, f"the list handler may raise {run.escapes[0]}")
    run.escapes = escapes
    for tool in made.tools:
        tool.conditions = (*conditions, *tool.conditions)
    return made


def _first_page(run: Run, server: ServerValue, handler: Value) -> Answer:
    """The answer of a handler to a request without a cursor; of a context, only the method is known."""
    called = handler
    given: list[Value] = [REQUEST]
    if is_renamed(run.versions):
        given = [asked(), SdkObject(f"{TYPES}.PaginatedRequestParams", {"cursor": NONE, "_meta": REQUEST})]
    elif isinstance(handler, DecoratedHandler):
        called = handler.function
        given = requests(called)[:1]
    try:
        result = run.call(called, Arguments(given, site=server.site))
    except RaisedError as raised:
        return Answer([], f"the handler raises: {raised.message}", called)
    except ExhaustedError:
        return Answer([], "there is too much to evaluate in the handler", called)
    if isinstance(result, SdkObject) and "root" in result.data and result.rest is None:
        result = result.data["root"]
    is_result = isinstance(result, SdkObject) and result.type == f"{TYPES}.ListToolsResult"
    if is_renamed(run.versions) and not is_result and not isinstance(result, Unknown):
        return Answer([], f"the handler returns {describe(result)}, which is no ListToolsResult", called)
    made = of_result(run, result)
    made.handler = called
    if isinstance(result, SdkObject) and result.data.get("nextCursor", NONE) != NONE:
        made.incomplete = made.incomplete or "the list has more than one page"
    return made
