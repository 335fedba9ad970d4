"""What a server answers to ``tools/list``: what it was told, and what the program makes of the tools that it lists."""

from __future__ import annotations

from pdmigrate.model import Field, Known
from pdmigrate.model import Unknown as UnknownField
from pdmigrate.sdk.families import FASTMCP, SERVER
from pdmigrate.sdk.names import TYPES
from pdmigrate.understand.demand.containers import elements
from pdmigrate.understand.demand.run import ATTRIBUTES, CALLS, SETTERS, ExhaustedError, RaisedError, Run
from pdmigrate.understand.servers.answers import Answer, Listed, as_one, blurred, once_each, requests
from pdmigrate.understand.servers.composing import replayed
from pdmigrate.understand.servers.holding import ANNOTATIONS, held_tools, own_annotations
from pdmigrate.understand.servers.making import lost
from pdmigrate.understand.servers.methods import METHODS
from pdmigrate.understand.servers.objects import (
    OTHER_HANDLERS,
    REQUEST,
    DecoratedHandler,
    Middleware,
    Opaque,
    OwnHandler,
    ServerValue,
    asked,
    changes_of,
    is_renamed,
)
from pdmigrate.understand.servers.overriding import overridden, overriding
from pdmigrate.understand.servers.wire import WIRE, one_field, tool_fields, value_of
from pdmigrate.understand.values.calls import Arguments, Native
from pdmigrate.understand.values.containers import DictValue, ListValue, twin
from pdmigrate.understand.values.core import CONDITION, MUTATED, NONE, Maybe, Unknown, Value
from pdmigrate.understand.values.joining import AnyOf, bare_value
from pdmigrate.understand.values.objects import SdkObject, describe, text_of
from pdmigrate.understand.values.outside import External

_NAMES = {**WIRE, "input_schema": "inputSchema", "key": "name"}
"""Attributes of the SDKs' tool objects by their names on the wire, where these differ."""
_TEXTS = frozenset({"name", "title", "description"})
"""Attributes through which nothing of a tool is changed; a copy shares its schemas."""


class ListedTool(SdkObject):
    """A tool as a server would list it.  ``made`` are the values that its fields had at first.

    ``inside`` is the server, if the tool is its own and no copy: who gets hold of it may change what is listed.  It is
    ``unconverted`` if it is an object of fastmcp's class, of which the SDK makes what it sends.
    """

    def __init__(
        self, run: Run, listed: Listed, inside: ServerValue | None = None, *, unconverted: bool = False
    ) -> None:
        made = {name: value_of(field) for name, field in listed.fields.items()}
        if isinstance(known := made.get("annotations"), DictValue):
            made["annotations"] = _annotations(run, listed, known)
        tool = listed.tool
        own = tool.data.get("title", tool.options.get("title", NONE)) if tool is not None else NONE
        self.titled = listed.titled or bool(text_of(own))
        if unconverted and not self.titled and "title" in made:
            made["title"] = run.unsettled("the SDK gives a tool its title")
        super().__init__("mcp.types.Tool", dict(made), listed.site)
        self.listed, self.made, self.inside, self.unconverted = listed, made, inside, unconverted


def _annotations(run: Run, listed: Listed, known: DictValue) -> SdkObject:
    """The annotations of a tool as the object that all tools share to which the program gave it."""
    tool = listed.tool
    given = tool.data.get("annotations", own_annotations(run, tool)) if tool is not None else listed.annotations
    if isinstance(given, SdkObject) and given.type == ANNOTATIONS:
        return given
    return SdkObject(ANNOTATIONS, {text_of(key) or "": item for key, item in known.entries()})


def values_of(run: Run, answer: Answer, inside: ServerValue | None = None, *, unconverted: bool = False) -> ListValue:
    """The tools of an answer as objects of the program."""
    made = ListValue()
    for tool in answer.tools:
        value: Value = ListedTool(run, tool, inside, unconverted=unconverted)
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
    return NONE if key in WIRE.values() else run.unsettled(f"{name} of a tool")


def _copied(run: Run, tool: ListedTool, arguments: Arguments, *, converts: bool) -> Value:
    """A copy of a tool, with the changes that are given by name or in ``update``."""
    made = ListedTool(run, tool.listed, unconverted=tool.unconverted)
    made.data, made.made, made.rest = dict(tool.data), tool.made, tool.rest or arguments.unknown
    if converts:
        made.data = {name: twin(item) for name, item in made.data.items()}
        made.made = {name: made.data[name] for name, item in tool.made.items() if tool.data.get(name) is item}
    changes, rest = changes_of(run, arguments)
    made.rest = made.rest or rest
    for name, item in {**arguments.keywords, **changes}.items():
        if name not in ("update", "deep", "include_fastmcp_meta"):
            made.data[_NAMES.get(name, name)] = item
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
            made.incomplete = made.incomplete or f"the list holds {describe(item)}, which is not a Tool of the SDK"
    return made


def _relisted(item: ListedTool, conditions: tuple[str, ...]) -> Listed:
    """The entry of an answer for a tool that the program got from a list, and may have changed."""
    if item.rest is not None:
        whole = UnknownField(item.rest.reason, item.rest.code)
        names = (*item.listed.fields, "title", "annotations")
        return Listed(dict.fromkeys(names, whole), item.site, conditions)
    fields: dict[str, Field] = {}
    for name, value in item.data.items():
        known = item.listed.fields.get(name)
        # A container or an object in a field may have been changed in place.
        touched = isinstance(value, (DictValue, ListValue, SdkObject)) and isinstance(known, Known)
        unchanged = item.made.get(name) is value and not touched
        field = known if unchanged else one_field(name, value)
        if field is not None and name != "tags":
            fields[name] = field
    titled = item.titled or bool(text_of(item.data.get("title", NONE)))
    if item.unconverted and not titled and _title(fields) != _title(item.listed.fields):
        fields["title"] = UnknownField("the SDK may take the title from the annotations", MUTATED)
    annotations = item.data.get("annotations")
    shared = annotations if isinstance(annotations, SdkObject) else None
    return Listed(fields, item.site, conditions, item.listed.doc, annotations=shared, titled=titled)


def _title(fields: dict[str, Field]) -> object:
    """The title in the annotations among the fields of a tool, or why these are not known."""
    known = fields.get("annotations")
    return known.value.get("title") if isinstance(known, Known) and isinstance(known.value, dict) else known


ATTRIBUTES[ListedTool] = _attribute
SETTERS[ListedTool] = _set


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
    """The official SDK's copies of its tools, whose schemas share their parts with those that it keeps."""
    for item in map(bare_value, () if run.answering else tools.data):
        if not isinstance(item, ListedTool) or item.inside is not None or item.listed.tool is None:
            continue
        for name, wire in (("parameters", "inputSchema"), ("output_schema", "outputSchema")):
            part = run.attribute(item.listed.tool, name)
            if isinstance(part, DictValue):
                item.data[wire] = item.made[wire] = DictValue(dict(part.data), part.rest)
    return tools


# --- what the program puts in between ---------------------------------------------------------------------------------


def _called(run: Run, function: Value, arguments: list[Value]) -> Answer | None:
    """The answer that a function of the program gives; ``None`` if nothing is known of it."""
    try:
        result = run.call(function, Arguments(arguments))
    except (RaisedError, ExhaustedError):
        return None
    made = of_result(run, result)
    made.tools = once_each(made.tools)
    return made if made.tools or made.incomplete is None else None


for _name in ("list_tools", "_list_tools_mcp", "_list_tools", "_handle_list_tools", "_list_tools_middleware"):
    METHODS[_name] = _list_tools


# --- what a server lists ----------------------------------------------------------------------------------------------


NO_HANDLER = "no list handler of it was found"


def answer(run: Run, server: ServerValue) -> Answer:
    """What ``server`` lists in the present state of the program."""
    if server.cls is SERVER:
        found = _by_handlers(run, server)
        if (why := overridden(run, server)) is not None:
            found = blurred(found, why, MUTATED)
        for event in map(bare_value, server.data):
            if isinstance(event, Opaque):
                found = blurred(found, event.why.reason, event.why.code)
    else:
        found = _by_functions(run, server)
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
    if (below := server.below) is None:
        return _own_answer(run, server)
    replaced = not isinstance(_list_handler(run, below), OwnHandler | None)
    if replaced and not below.data:
        return _by_handlers(run, below)
    known = _own_answer(run, server)
    changed = below.data or replaced or below.handlers.rest not in (None, OTHER_HANDLERS)
    return blurred(known, "the low-level server is changed", MUTATED) if changed else known


def _own_answer(run: Run, server: ServerValue) -> Answer:
    """What the SDK lists, or a class of the program, after the middleware has seen it, the innermost first."""
    found = replayed(run, server)
    if (why := overridden(run, server)) is not None:
        return blurred(found, why, MUTATED)
    if (own := overriding(server)) is not None:
        name, method = own
        known = _called(run, method, requests(method))
        found = known or blurred(found, f"{name} is overridden by the program", MUTATED)
    for event in reversed(server.data):
        inner = bare_value(event)
        for hook in inner.hooks if isinstance(inner, Middleware) else ():
            result = _called(run, hook, [asked(), _handing_on(values_of(run, found, unconverted=True))])
            if result is None or isinstance(event, Maybe):
                result = blurred(found, "a middleware of the server is not followed", MUTATED)
            found = result
    return found


def _handing_on(tools: Value) -> Value:
    return Native("call_next", lambda _run, _arguments: tools)


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
    return server.handlers.lookup((True, "tools/list") if is_renamed(run.versions) else _LIST)


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
        conditions += (function.reason,)  # it may be one of several, or none
    escapes, run.escapes = run.escapes, []
    made = _first_page(run, server, handler)
    if run.escapes:
        conditions += (f"the list handler may raise {run.escapes[0].rpartition('.')[2]}",)
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
        return Answer([], f"the list handler raises {raised}{f' ({raised.site})' if raised.site else ''}", called)
    except ExhaustedError:
        return Answer([], "there is too much to evaluate in the handler", called)
    if isinstance(result, SdkObject) and "root" in result.data and result.rest is None:
        result = result.data["root"]
    is_result = isinstance(result, SdkObject) and result.type == f"{TYPES}.ListToolsResult"
    if is_renamed(run.versions) and not is_result and not isinstance(result, Unknown):
        return Answer([], f"the handler returns {describe(result)}, which is not a ListToolsResult", called)
    made = of_result(run, result)
    made.handler = called
    if isinstance(result, SdkObject) and result.data.get("nextCursor", NONE) != NONE:
        made.incomplete = made.incomplete or "the list has more than one page"
    return made
