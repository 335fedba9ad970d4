"""What a server answers to ``tools/list``, from what it was told, and from what the program itself makes of that."""

from __future__ import annotations

from pdmigrate.model import Field, Known
from pdmigrate.model import Unknown as UnknownField
from pdmigrate.sdk.families import FASTMCP, SERVER
from pdmigrate.sdk.names import TYPES
from pdmigrate.understand.demand.containers import elements
from pdmigrate.understand.demand.run import ATTRIBUTES, SETTERS, ExhaustedError, RaisedError, Run
from pdmigrate.understand.servers.answers import (
    CHANGEABLE,
    Answer,
    Listed,
    blurred,
    forget_described,
    function_of,
    once_each,
)
from pdmigrate.understand.servers.composing import overriding, replayed
from pdmigrate.understand.servers.holding import held_tools, keep_output_schema
from pdmigrate.understand.servers.making import lost
from pdmigrate.understand.servers.methods import METHODS
from pdmigrate.understand.servers.models import is_renamed
from pdmigrate.understand.servers.objects import REQUEST, Middleware, Opaque, Registered, ServerValue, asked, changes_of
from pdmigrate.understand.servers.wire import one_field, tool_fields, value_of
from pdmigrate.understand.values.containers import DictValue, ListValue, Mutable
from pdmigrate.understand.values.core import CONDITION, MUTATED, NONE, Maybe, Unknown, Value
from pdmigrate.understand.values.joining import bare_value
from pdmigrate.understand.values.objects import Arguments, BoundMethod, Native, SdkObject, describe
from pdmigrate.understand.values.outside import Called, External

# --- answers as values: the program lists the tools of a server, changes what it gets, and answers with that ----------

_NAMES = {
    "parameters": "inputSchema",
    "input_schema": "inputSchema",
    "output_schema": "outputSchema",
    "meta": "_meta",
    "key": "name",
}
"""Attributes of the SDKs' tool objects whose names differ from the wire's."""
_TEXTS = frozenset({"name", "title", "description"})
"""Attributes through which nothing of a tool is changed; a copy shares its schemas."""


class ListedTool(SdkObject):
    """A tool as a server would list it.  ``made`` are the values that its fields had at first.

    ``inside`` is the server, if the tool is its own and no copy: who gets hold of it may change what is listed.
    """

    def __init__(self, listed: Listed, inside: ServerValue | None = None) -> None:
        made = {name: value_of(field) for name, field in listed.fields.items()}
        super().__init__("mcp.types.Tool", dict(made), listed.site)
        self.listed, self.made, self.inside = listed, made, inside


def values_of(run: Run, answer: Answer, server: ServerValue | None = None) -> ListValue:
    """The tools of an answer as objects of the program."""
    made = ListValue()
    for tool in answer.tools:
        value: Value = ListedTool(tool, server)
        for reason in tool.conditions:
            value = Maybe(value.value if isinstance(value, Maybe) else value, Unknown(reason, CONDITION, tool.site))
        made.data.append(value)
    if answer.incomplete is not None:
        made.rest = run.unsettled(answer.incomplete, CONDITION)
    return made


def _attribute(run: Run, tool: ListedTool, name: str) -> Value:
    key = _NAMES.get(name, name)
    if tool.inside is not None and key not in _TEXTS:
        return lost(run, tool.inside, f"{name} of a tool of the server is used")
    if key in tool.data:
        return tool.data[key]
    if name in ("to_mcp_tool", "model_copy", "copy"):
        return Native(name, lambda run, arguments: _copied(run, tool, arguments, converts=name == "to_mcp_tool"))
    return NONE if key in CHANGEABLE else run.unsettled(f"{name} of a tool")


def _copied(run: Run, tool: ListedTool, arguments: Arguments, *, converts: bool) -> Value:
    """A copy of a tool, with the changes that are given by name or in ``update``."""
    made = ListedTool(tool.listed)
    made.data, made.rest = dict(tool.data), tool.rest or arguments.unknown
    if converts:
        made.data = {name: _twin(item) for name, item in made.data.items()}
        made.made = dict(made.data)
    changes, rest = changes_of(run, arguments)
    made.rest = made.rest or rest
    for name, item in {**arguments.keywords, **changes}.items():
        if name not in ("update", "deep", "include_fastmcp_meta"):
            made.data[_NAMES.get(name, name)] = item
    return made


def _twin(value: Value) -> Value:
    """A container like ``value`` that shares its parts: what changes one of the two makes the other unknown.

    So a copy that is made on one path, and changed there, does not depend on whether that path is taken.
    """
    if isinstance(value, DictValue):
        made: Mutable = DictValue({key: (written, _twin(item)) for key, (written, item) in value.data.items()})
    elif isinstance(value, ListValue):
        made = ListValue([_twin(item) for item in value.data])
    else:
        return value
    made.rest = value.rest
    made.also, value.also = (value,), (*value.also, made)
    return made


def _set(run: Run, tool: ListedTool, name: str, value: Value) -> None:
    if tool.inside is not None:
        lost(run, tool.inside, f"{name} of a tool of the server is set")
    run.journal.touch(tool)
    tool.data[_NAMES.get(name, name)] = value


def of_result(run: Run, result: Value) -> Answer:
    """The tools in what a handler returns."""
    for name in ("root", "tools"):
        if isinstance(result, SdkObject) and name in result.data:
            if result.rest is not None:
                return Answer([], result.rest.reason)
            result = result.data[name]
    if isinstance(result, SdkObject) and result.type.endswith("ListToolsResult"):
        return Answer([], "the handler's result is not known")
    if isinstance(result, Unknown):
        return Answer([], result.reason)
    try:
        items, more = elements(run, result)
    except RaisedError:
        return Answer([], "the handler returns no list")
    made = Answer([], more.reason if more is not None else None)
    for item in items:
        conditions: tuple[str, ...] = ()
        while isinstance(item, Maybe):
            conditions, item = (*conditions, item.condition), item.value
        if isinstance(item, ListedTool):
            made.tools.append(_relisted(item, conditions))
        elif isinstance(item, SdkObject) and item.type == f"{TYPES}.Tool":
            made.tools.append(Listed(tool_fields(item, run.versions), item.site, conditions, source=item))
        elif isinstance(item, Unknown):
            made.incomplete = made.incomplete or item.reason
        else:
            made.incomplete = made.incomplete or f"the list holds {describe(item)}, which is no Tool of the SDK"
    return made


def _relisted(item: ListedTool, conditions: tuple[str, ...]) -> Listed:
    """The entry of an answer for a tool that the program got from a list, and may have changed."""
    if item.rest is not None:
        whole = UnknownField(item.rest.reason, item.rest.code)
        names = (*item.listed.fields, "title", "annotations")
        return Listed(dict.fromkeys(names, whole), item.site, conditions)
    fields: dict[str, Field] = {}
    for name, value in item.data.items():
        # A container in a field may have been changed in place.
        touched = isinstance(value, (DictValue, ListValue)) and isinstance(item.listed.fields.get(name), Known)
        unchanged = item.made.get(name) is value and not touched
        field = item.listed.fields[name] if unchanged else one_field(name, value)
        if field is not None and name != "tags":
            fields[name] = field
    return Listed(fields, item.site, conditions, item.listed.doc)


def _list_tools(run: Run, server: ServerValue, _arguments: Arguments) -> Value:
    """``server.list_tools()``: what the SDK would list; of fastmcp the tools themselves, which may be changed."""
    if server.cls is not FASTMCP or (run.answering and server.family.id != "fastmcp2"):
        for event in map(bare_value, server.data):
            if isinstance(event, Registered):
                keep_output_schema(run, event.tool)
        return values_of(run, replayed(run, server))
    if run.answering:
        return run.unsettled("the table of tools")
    seen = any(isinstance(bare_value(event), Middleware) for event in server.data)  # by functions of the program
    return (None if seen else held_tools(run, server)) or values_of(run, replayed(run, server), server)


# --- what the program puts in between ---------------------------------------------------------------------------------


def by_subclass(run: Run, server: ServerValue) -> Answer | None:
    """The answer of a class of the program that overrides what lists the tools; ``None`` if the server is of none."""
    found = overriding(server)
    if found is None:
        return None
    name, method = found
    known = replayed(run, server)
    return _called(run, method, requests(method)) or blurred(known, f"{name} is overridden by the program", MUTATED)


def requests(handler: Value) -> list[Value]:
    """A request for each parameter that a handler of the program requires."""
    inner = function_of(handler)
    if inner is None:
        return []
    return [REQUEST] * (len(inner.node.args.args) - len(inner.defaults) - isinstance(handler, BoundMethod))


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
            result = _called(run, hook, [asked(), _handing_on(values_of(run, found))])
            if result is None or isinstance(event, Maybe):
                result = blurred(found, "a middleware of the server is not followed", MUTATED)
            found = result
    return found


ATTRIBUTES[ListedTool] = _attribute
SETTERS[ListedTool] = _set
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
        found = through_middleware(run, server, _by_functions(run, server))
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
    if below is not None and (below.data or handler is not None or below.handlers.rest is not None):
        if handler is not None and not below.data:
            return _by_handlers(run, below)
        return blurred(replayed(run, server), "the low-level server is changed", MUTATED)
    return by_subclass(run, server) or replayed(run, server)


# --- low-level servers ------------------------------------------------------------------------------------------------


def _list_handler(run: Run, server: ServerValue) -> Value | None:
    key = (True, "tools/list") if is_renamed(run.versions) else External(f"{TYPES}.ListToolsRequest")
    return server.handlers.lookup(key)


def _by_handlers(run: Run, server: ServerValue) -> Answer:
    handler = _list_handler(run, server)
    if handler is None or handler == NONE:
        rest = server.handlers.rest
        return Answer([], rest.reason if rest is not None else None)
    conditions: tuple[str, ...] = ()
    if isinstance(handler, Maybe):
        conditions, handler = (handler.condition,), handler.value
    function = handler.args[0] if isinstance(handler, Called) and handler.args else handler
    if isinstance(function, Unknown):
        conditions = (*conditions, function.reason)  # it may be one of several, or none
    escapes, run.escapes = run.escapes, []
    made = _first_page(run, server, handler)
    if run.escapes:
        conditions = (*conditions, f"the list handler may raise {run.escapes[0]}")
    run.escapes = escapes
    for tool in made.tools:
        tool.conditions = (*conditions, *tool.conditions)
    middleware = server.attributes.data.get("middleware")
    if middleware is None or (isinstance(middleware, ListValue) and not middleware.data and middleware.rest is None):
        return made
    return blurred(made, "the middleware of the server may change the list", MUTATED)


def _first_page(run: Run, server: ServerValue, handler: Value) -> Answer:
    """The answer of a handler to a request without a cursor; of a context, only the method is known."""
    called = handler
    given: list[Value] = [REQUEST]
    if is_renamed(run.versions):
        given = [asked(), SdkObject(f"{TYPES}.PaginatedRequestParams", {"cursor": NONE, "_meta": REQUEST})]
    elif isinstance(handler, Called) and handler.callee == "decorated handler":
        called = handler.args[0]
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
