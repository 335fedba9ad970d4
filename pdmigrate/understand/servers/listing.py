"""What a server answers to ``tools/list``, from what it was told."""

from __future__ import annotations

from pdmigrate.model import Unknown as UnknownField
from pdmigrate.sdk.families import SERVER
from pdmigrate.sdk.names import TYPES
from pdmigrate.understand.demand.run import ExhaustedError, RaisedError, Run
from pdmigrate.understand.servers.answers import Answer, blurred
from pdmigrate.understand.servers.models import is_renamed
from pdmigrate.understand.servers.objects import REQUEST, Opaque, ServerValue, asked
from pdmigrate.understand.servers.replaying import replayed
from pdmigrate.understand.servers.replying import by_subclass, of_result, requests, through_middleware
from pdmigrate.understand.values.codes import MUTATED
from pdmigrate.understand.values.containers import ListValue
from pdmigrate.understand.values.core import NONE, Maybe, Unknown, Value
from pdmigrate.understand.values.joining import bare_value
from pdmigrate.understand.values.objects import Arguments, SdkObject, describe
from pdmigrate.understand.values.outside import Called, External

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
