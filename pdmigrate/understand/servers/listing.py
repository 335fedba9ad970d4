"""What a server answers to ``tools/list``, from what it was told."""

from __future__ import annotations

from collections.abc import Callable

from pdmigrate.model import Unknown as UnknownField
from pdmigrate.sdk.families import SERVER
from pdmigrate.sdk.names import TYPES
from pdmigrate.understand.demand.containers import elements
from pdmigrate.understand.demand.run import ExhaustedError, RaisedError, Run
from pdmigrate.understand.servers.answers import Answer, Listed, blurred
from pdmigrate.understand.servers.fields import is_renamed
from pdmigrate.understand.servers.middleware import changing
from pdmigrate.understand.servers.objects import REQUEST, Opaque, ServerValue, asked
from pdmigrate.understand.servers.replaying import OVERRIDES, replayed
from pdmigrate.understand.servers.wire import tool_fields
from pdmigrate.understand.values.calls import Arguments, BoundMethod
from pdmigrate.understand.values.codes import MUTATED
from pdmigrate.understand.values.core import NONE, Const, Maybe, Unknown, Value
from pdmigrate.understand.values.objects import FunctionValue, SdkObject, describe
from pdmigrate.understand.values.outside import Called, External


def answer(run: Run, server: ServerValue) -> Answer:
    """What ``server`` lists in the present state of the program."""
    if server.cls is SERVER:
        return _hedged(run, server, _doubted(_by_handlers(run, server), server))
    found = _overridden(run, server) or replayed(run, server)
    for act in MIDDLEWARE:
        found = act(run, server, found)
    return _hedged(run, server, found)


NO_HANDLER = "no list handler of it was found"


def _hedged(run: Run, server: ServerValue, found: Answer) -> Answer:
    """An answer of a program of which a part is not known claims nothing of the names that it lacks."""
    for key in ("unknown import", "registers on unknown", "raises"):
        doubt = run.memory.get(key)
        if isinstance(doubt, Unknown):
            found.incomplete = found.incomplete or doubt.reason
    if server.cls is SERVER and found.handler is None:
        found.incomplete = found.incomplete or NO_HANDLER
    unknown = next((tool.fields.get("name") for tool in found.tools if tool.name is None), None)
    if isinstance(unknown, UnknownField):
        found.incomplete = found.incomplete or f"a tool has a name that is not known: {unknown.reason}"
        # One that may be absent besides says no more than this.
        found.tools = [tool for tool in found.tools if tool.name is not None or not tool.conditions]
    return found


def _overridden(run: Run, server: ServerValue) -> Answer | None:
    """The answer where the program puts a handler of its own in the place of the SDK's."""
    below = server.below
    if below is not None and (below.data or _list_handler(run, below) is not None or below.handlers.rest is not None):
        handler = _list_handler(run, below)
        if handler is not None and not below.data:
            return _by_handlers(run, below)
        known = replayed(run, server)
        return blurred(known, "the low-level server is changed", MUTATED)
    found = (hook(run, server) for hook in OVERRIDES)
    return next((made for made in found if made is not None), None)


MIDDLEWARE: list[Callable[[Run, ServerValue, Answer], Answer]] = []
"""What is done to an answer before it is sent."""
LISTED_ITEMS: list[Callable[[Value], Listed | None]] = []
"""How values that stand for listed tools become entries of an answer."""


# --- low-level servers ------------------------------------------------------------------------------------------------


def _list_handler(run: Run, server: ServerValue) -> Value | None:
    key = (True, "tools/list") if is_renamed(run.versions) else External(f"{TYPES}.ListToolsRequest")
    return server.handlers.lookup(key)


MOST_PAGES = 100
_MORE = "the list has more than one page"


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
    made = (_all_pages if is_renamed(run.versions) else _only_page)(run, server, handler)
    changer = changing(run, server)
    if run.escapes:
        conditions = (*conditions, f"the list handler may raise {run.escapes[0]}")
    run.escapes = escapes
    for tool in made.tools:
        tool.conditions = (*conditions, *tool.conditions)
    return made if changer is None else blurred(made, changer, MUTATED)


def _only_page(run: Run, server: ServerValue, handler: Value) -> Answer:
    """The answer of a handler of mcp 1.x."""
    given: list[Value] = [REQUEST]
    if isinstance(handler, Called) and handler.callee == "decorated handler":
        handler = handler.args[0]
        given = given if _takes_request(handler) else []
    made, cursor = _page(run, server, handler, given)
    if cursor != NONE:
        made.incomplete = made.incomplete or _MORE
    return made


def _all_pages(run: Run, server: ServerValue, handler: Value) -> Answer:
    """The answers of a handler of mcp 2.x: a client asks for the first page without a cursor, then with the last one.

    The handler is given a context, of which only the method is known, and the parameters of the request.
    """
    whole = Answer(handler=handler)
    cursors: list[Value] = []
    cursor: Value = NONE
    while cursor not in cursors and len(cursors) < MOST_PAGES:
        cursors.append(cursor)
        params = SdkObject(f"{TYPES}.PaginatedRequestParams", {"cursor": cursor, "_meta": REQUEST})
        page, cursor = _page(run, server, handler, [asked(), params])
        whole.tools += page.tools
        whole.incomplete = whole.incomplete or page.incomplete
        if not isinstance(cursor, Const) or cursor == NONE:
            break
    if cursor != NONE:
        whole.incomplete = whole.incomplete or _MORE
    return whole


def _page(run: Run, server: ServerValue, handler: Value, given: list[Value]) -> tuple[Answer, Value]:
    """What a handler answers to one request, and the cursor of the next page."""
    try:
        result = run.call(handler, Arguments(given, site=server.site))
    except RaisedError as raised:
        return Answer([], f"the handler raises: {raised.message}", handler), NONE
    except ExhaustedError:
        return Answer([], "there is too much to evaluate in the handler", handler), NONE
    if isinstance(result, SdkObject) and "root" in result.data and result.rest is None:
        result = result.data["root"]
    is_result = isinstance(result, SdkObject) and result.type == f"{TYPES}.ListToolsResult"
    if is_renamed(run.versions) and not is_result and not isinstance(result, Unknown):
        return Answer([], f"the handler returns {describe(result)}, which is no ListToolsResult", handler), NONE
    made = of_result(run, result)
    made.handler = handler
    return made, result.data.get("nextCursor", NONE) if isinstance(result, SdkObject) else NONE


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
        conditions, item = (*conditions, item.condition), item.value
    known = next((entry for hook in LISTED_ITEMS if (entry := hook(item)) is not None), None)
    if known is not None:
        known.conditions = (*conditions, *known.conditions)
        made.tools.append(known)
    elif isinstance(item, SdkObject) and item.type == f"{TYPES}.Tool":
        made.tools.append(Listed(tool_fields(item, run.versions), item.site, conditions, source=item))
    elif isinstance(item, Unknown):
        made.incomplete = made.incomplete or item.reason
    else:
        made.incomplete = made.incomplete or f"the list holds {describe(item)}, which is no Tool of the SDK"


def _doubted(found: Answer, server: ServerValue) -> Answer:
    for event in server.data:
        inner = event.value if isinstance(event, Maybe) else event
        if isinstance(inner, Opaque):
            found = blurred(found, inner.why.reason, inner.why.code)
    return found
