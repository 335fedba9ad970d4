"""What a server answers to ``tools/list``, from what it was told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pdmigrate.families import FASTMCP, SERVER
from pdmigrate.model import Field, Known, Site
from pdmigrate.model import Unknown as UnknownField
from pdmigrate.recognise.sdk.fields import is_renamed
from pdmigrate.schemas import specs
from pdmigrate.schemas.signatures import tool_fields as listed_fields
from pdmigrate.sdk_names import TYPES
from pdmigrate.understand.demand.containers import elements
from pdmigrate.understand.demand.run import ExhaustedError, RaisedError, Run
from pdmigrate.understand.servers.agreeing import agreed
from pdmigrate.understand.servers.answers import Answer, Listed
from pdmigrate.understand.servers.objects import Mounted, Opaque, Registered, Removed, ServerValue, ToolValue
from pdmigrate.understand.servers.wire import field_of, one_field, tool_fields
from pdmigrate.understand.types.annotations import Specs
from pdmigrate.understand.types.functions import function_spec, named_spec
from pdmigrate.understand.values.core import (
    ARGUMENTS,
    INVALID,
    MUTATED,
    NONE,
    Arguments,
    BoundMethod,
    Called,
    Const,
    DictValue,
    External,
    FunctionValue,
    ListValue,
    Maybe,
    SdkObject,
    SetValue,
    Unknown,
    Value,
    text_of,
)

_CHANGEABLE = ("title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta", "execution")


def answer(run: Run, server: ServerValue) -> Answer:
    """What ``server`` lists in the present state of the program."""
    if server.cls is SERVER:
        return _hedged(run, _doubted(_by_handlers(run, server), server))
    found = _overridden(run, server) or replayed(run, server, server.data, 0)
    for act in MIDDLEWARE:
        found = act(run, server, found)
    return _hedged(run, found)


def _hedged(run: Run, found: Answer) -> Answer:
    """An answer with a tool whose name is not known claims nothing of the names that it lacks."""
    imported = run.memory.get("unknown import")
    if isinstance(imported, Unknown):
        found.incomplete = found.incomplete or imported.reason
    unknown = next((tool.fields.get("name") for tool in found.tools if tool.name is None), None)
    if isinstance(unknown, UnknownField):
        found.incomplete = found.incomplete or f"a tool has a name that is not known: {unknown.reason}"
    return found


def _overridden(run: Run, server: ServerValue) -> Answer | None:
    """The answer where the program puts a handler of its own in the place of the SDK's."""
    below = server.below
    if below is not None and (below.data or _list_handler(run, below) is not None or below.handlers.rest is not None):
        handler = _list_handler(run, below)
        if handler is not None and not below.data:
            return _by_handlers(run, below)
        known = replayed(run, server, server.data, 0)
        return blurred(known, "the low-level server is changed", MUTATED)
    found = (hook(run, server) for hook in OVERRIDES)
    return next((made for made in found if made is not None), None)


OVERRIDES: list[Callable[[Run, ServerValue], Answer | None]] = []
"""Ways in which a class of the program may take over the answer."""
MIDDLEWARE: list[Callable[[Run, ServerValue, Answer], Answer]] = []
"""What is done to an answer before it is sent."""
LISTED_ITEMS: list[Callable[[Value], Listed | None]] = []
"""How values that stand for listed tools become entries of an answer."""


def blurred(known: Answer, reason: str, code: str) -> Answer:
    """An answer after something that may have changed any of its tools, hidden them, or added more."""
    unknown = UnknownField(reason, code)
    for tool in known.tools:
        tool.fields = {**tool.fields, **dict.fromkeys(_CHANGEABLE, unknown)}
        tool.conditions = (*tool.conditions, reason)
    known.incomplete = known.incomplete or reason
    return known


# --- low-level servers ------------------------------------------------------------------------------------------------


def _list_handler(run: Run, server: ServerValue) -> Value | None:
    key = (True, "tools/list") if is_renamed(run.versions) else External(f"{TYPES}.ListToolsRequest")
    return server.handlers.lookup(key)


def _by_handlers(run: Run, server: ServerValue) -> Answer:
    handler = _list_handler(run, server)
    if handler is None:
        rest = server.handlers.rest
        return Answer([], rest.reason if rest is not None else None)
    conditions: tuple[str, ...] = ()
    if isinstance(handler, Maybe):
        conditions, handler = (handler.why.reason,), handler.value
    request = Unknown("the request of the client", ARGUMENTS)
    given = [request, request] if is_renamed(run.versions) else [request]
    if isinstance(handler, Called) and handler.callee == "decorated handler":
        handler = handler.args[0]
        given = [request] if _takes_request(handler) else []
    try:
        result = run.call(handler, Arguments(list(given), site=server.site))
    except RaisedError as raised:
        return Answer([], f"the handler raises: {raised.message}")
    except ExhaustedError:
        return Answer([], "there is too much to evaluate in the handler")
    made = of_result(run, result)
    made.handler = handler
    for tool in made.tools:
        tool.conditions = (*conditions, *tool.conditions)
    return made


def _takes_request(handler: Value) -> bool:
    """Whether a decorated handler of mcp 1.x is given the request: if it has a parameter for it."""
    inner = handler.function if isinstance(handler, BoundMethod) else handler
    if not isinstance(inner, FunctionValue):
        return False
    count = len(inner.node.args.args) - (1 if isinstance(handler, BoundMethod) else 0)
    return count - len(inner.defaults) > 0


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
        _add_item(run, made, item)
    return made


def _add_item(run: Run, made: Answer, item: Value) -> None:
    conditions: tuple[str, ...] = ()
    while isinstance(item, Maybe):
        conditions, item = (*conditions, item.why.reason), item.value
    known = next((entry for hook in LISTED_ITEMS if (entry := hook(item)) is not None), None)
    if known is not None:
        known.conditions = (*conditions, *known.conditions)
        made.tools.append(known)
    elif isinstance(item, SdkObject) and item.type == f"{TYPES}.Tool":
        made.tools.append(Listed(tool_fields(item, run.versions), item.site, conditions, source=item))
    elif isinstance(item, Unknown):
        made.incomplete = made.incomplete or item.reason
    elif isinstance(item, DictValue) and not is_renamed(run.versions):
        made.incomplete = made.incomplete or "an element of the list is no tool"
    else:
        made.incomplete = made.incomplete or "an element of the list is not known"


def _doubted(found: Answer, server: ServerValue) -> Answer:
    for event in server.data:
        inner = event.value if isinstance(event, Maybe) else event
        if isinstance(inner, Opaque):
            found = blurred(found, inner.why.reason, inner.why.code)
    return found


# --- servers whose tools are functions --------------------------------------------------------------------------------


def replayed(run: Run, server: ServerValue, events: list[Value] | tuple[Value, ...], depth: int) -> Answer:
    made = Answer([])
    if server.rest is not None:
        made.incomplete = server.rest.reason
    for event in events:
        conditions: tuple[str, ...] = ()
        while isinstance(event, Maybe):
            conditions, event = (*conditions, event.why.reason), event.value
        if isinstance(event, Registered):
            _register(run, server, made, event, conditions)
        elif isinstance(event, Removed):
            _remove(made, event, conditions)
        elif isinstance(event, Mounted):
            _mount(run, server, made, event, conditions, depth)
        elif isinstance(event, Opaque):
            if event.rewrites:
                made = blurred(made, event.why.reason, event.why.code)
            made.incomplete = made.incomplete or event.why.reason
    return made


def _register(run: Run, server: ServerValue, made: Answer, event: Registered, conditions: tuple[str, ...]) -> None:
    tool = event.tool
    if _is_disabled(tool):
        return
    listed = Listed(*registered(run, server, tool))
    listed.conditions = conditions
    listed.doc = _doc(tool.function)
    listed.tags = _tags(tool)
    enabled = tool.options.get("enabled", tool.data.get("enabled", NONE))
    if isinstance(enabled, Unknown):
        listed.conditions = (*listed.conditions, enabled.reason)
    if listed.name is None:
        made.tools.append(listed)
        return
    same = next((i for i, other in enumerate(made.tools) if other.name == listed.name), None)
    if same is None:
        made.tools.append(listed)
    elif conditions or made.tools[same].conditions:
        made.tools[same] = agreed(made.tools[same], listed)
    elif server.cls is FASTMCP:
        made.tools[same] = listed


def _is_disabled(tool: ToolValue) -> bool:
    return Const(False) in (tool.options.get("enabled"), tool.data.get("enabled"))


def _doc(function: Value) -> str | None:
    inner = function.function if isinstance(function, BoundMethod) else function
    doc = inner.data.get("__doc__") if isinstance(inner, FunctionValue) else None
    return doc.value if isinstance(doc, Const) and isinstance(doc.value, str) else None


def _tags(tool: ToolValue) -> frozenset[str] | None:
    value = tool.options.get("tags", NONE)
    if value == NONE:
        return frozenset()
    if isinstance(value, (SetValue, ListValue)) and value.rest is None:
        items = value.data.values() if isinstance(value, SetValue) else value.data
        texts = [text_of(item) for item in items]
        if None not in texts:
            return frozenset(text for text in texts if text is not None)
    return None


_WIRE = {
    "parameters": "inputSchema",
    "output_schema": "outputSchema",
    "description": "description",
    "title": "title",
    "annotations": "annotations",
    "icons": "icons",
    "meta": "_meta",
    "name": "name",
}


def registered(run: Run, server: ServerValue, tool: ToolValue) -> tuple[dict[str, Field], Site | None]:
    """The fields of a tool as its function and options settle them, with what the program has changed since."""
    convert = Specs(run)
    function = function_spec(convert, tool.function)
    given = {name: value for name, value in tool.options.items() if name not in ("enabled", "context_kwarg")}
    options = tuple((name, _unordered(name, convert.value(value))) for name, value in given.items())
    unknown = function if isinstance(function, Unknown) else tool.rest
    spec = specs.UnknownSpec(unknown.reason, unknown.code, unknown.site) if unknown is not None else None
    if isinstance(function, Unknown):
        assert spec is not None
        function = named_spec(tool.function, spec)
    listing = tuple(
        (name, convert.value(server.options[name]))
        for name in ("dereference_schemas", "include_fastmcp_meta")
        if name in server.options
    )
    fields = dict(listed_fields(function, options, tool.family.id, run.versions, server=listing))
    if unknown is not None:
        _forget(fields, unknown, tool)
    for name, value in tool.data.items():
        wire = _WIRE.get(name)
        if wire is not None:
            fields.pop(wire, None)
            changed = one_field(wire, value)
            if changed is not None:
                fields[wire] = changed
        elif name not in ("enabled", "fn"):
            fields.update(dict.fromkeys(_CHANGEABLE, UnknownField(f"{name} of the tool is set", MUTATED)))
    return fields, function.site or tool.site


def _forget(fields: dict[str, Field], unknown: Unknown, tool: ToolValue) -> None:
    whole = field_of(unknown)
    for name in ("name", "title", "description"):
        known = fields.get(name)
        if known is not None and "?" in (known.text or ""):
            fields[name] = whole
    fields.update(inputSchema=whole, outputSchema=whole)
    if tool.rest is not None:
        fields.update(dict.fromkeys(("name", *_CHANGEABLE), whole))


def _unordered(name: str, value: specs.ValueSpec) -> specs.ValueSpec:
    """Tags are sorted by the SDK: their order in source does not matter."""
    if name == "tags" and isinstance(value, specs.ItemsValue) and value.kind in ("set", "frozenset"):
        return specs.ItemsValue("list", value.items)
    return value


def _remove(made: Answer, event: Removed, conditions: tuple[str, ...]) -> None:
    why = event.why.reason if event.why is not None else "a tool is removed"
    if event.shows and not event.only:
        made.incomplete = made.incomplete or why
        for tool in made.tools:
            tool.conditions = (*tool.conditions, why)
        return
    kept: list[Listed] = []
    for tool in made.tools:
        hit = _concerned(tool, event)
        if event.only and hit is not None:
            hit = not hit
        if hit is None or (hit and conditions):
            tool.conditions = (*tool.conditions, *(conditions or (why,)))
            kept.append(tool)
        elif not hit:
            kept.append(tool)
    made.tools = kept


def _concerned(tool: Listed, event: Removed) -> bool | None:
    if event.names is None and event.tags is None:
        return None
    results: list[bool | None] = []
    if event.names is not None:
        results.append(tool.name in event.names if tool.name is not None else None)
    if event.tags is not None:
        results.append(bool(tool.tags & event.tags) if tool.tags is not None else None)
    return False if False in results else (None if None in results else True)


def _mount(
    run: Run, server: ServerValue, made: Answer, event: Mounted, conditions: tuple[str, ...], depth: int
) -> None:
    if depth > 10:
        made.incomplete = made.incomplete or "servers are mounted in one another"
        return
    events = event.copied if event.copied is not None else tuple(event.server.data)
    inner = _overridden(run, event.server) or replayed(run, event.server, events, depth + 1)
    made.incomplete = made.incomplete or inner.incomplete
    for tool in inner.tools:
        fields = dict(tool.fields)
        if event.prefix and tool.name is not None:
            fields["name"] = Known(f"{event.prefix}{event.separator}{tool.name}")
        elif event.prefix:
            fields["name"] = UnknownField("the name under which it is mounted is not known", INVALID)
        made.tools.append(replace(tool, fields=fields, conditions=(*conditions, *tool.conditions)))
    assert server is not None
