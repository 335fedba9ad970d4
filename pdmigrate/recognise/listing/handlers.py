"""The tools that a list handler returns, page by page and through middleware, and how far they are certain."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, unwrapped
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.evaluate.core.operations import call, spread
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    DictValue,
    Entry,
    Guard,
    ListValue,
    Native,
    SdkObject,
    TupleValue,
    Value,
    ViewValue,
    const,
    is_sdk,
)
from pdmigrate.evaluate.language.coroutines import awaited
from pdmigrate.recognise.sdk.fields import is_renamed
from pdmigrate.recognise.sdk.models import make_model

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


@dataclass(frozen=True)
class Listed:
    """One tool in the list, and the conditions under which it is listed."""

    tool: SdkObject
    guards: tuple[Guard, ...]


@dataclass(frozen=True)
class Listing:
    """The whole list; ``incomplete`` says why there may be more tools, ``doubt`` why there may be none."""

    tools: tuple[Listed, ...]
    incomplete: str | None = None
    doubt: str | None = None
    cursor: Value | None = None
    """The cursor of the next page that the answer gives, if it gives one."""


def run_handler(run: Interpreter, handler: Value, arguments: tuple[Value, ...] | None = None) -> Listing:
    """Call a list handler as the SDK does, and read its answer.

    ``arguments`` are those that the SDK passes; ``None`` means those that mcp 1.x passes.
    """
    if handler.branches:
        return Listing((), f"which list handler is registered depends on {handler.branches[0][0].text}")
    if (guard := handler.held_if) is not None:
        listing = run_handler(run, handler.element, arguments)
        return replace(listing, doubt=listing.doubt or f"the handler is registered {guard}")
    function = handler.names["function"] if is_sdk(handler, "decorated handler") else handler
    with run.collected_risks() as risks:
        try:
            with run.assumed.answering():
                passed = _request(function, direct=function is handler) if arguments is None else arguments
                result = awaited(run, call(run, function, passed))
        except AbstractRaise as raised:
            return Listing((), f"the list handler {raised.outcome}")
        listing = read_listing(run, result, bare=arguments is None)
    hard = next((risk for risk in risks if risk.kind != "soft"), None)
    if hard is not None and listing.doubt is None:
        return replace(listing, doubt=f"the list handler may fail: {hard.unknown.reason}")
    return listing


def _request(function: Value, *, direct: bool) -> tuple[Value, ...]:
    """The arguments that mcp 1.x passes: the request for a raw handler, or if the decorated function requires one."""
    request = reasons.request()
    if direct:
        return (request,)

    inner = function.underlying.as_function
    if inner is None:
        return ()
    needed = [p for p in inner.parameters if p.kind in ("positional", "any") and p.default is None]
    return (request,) if len(needed) > (1 if inner is not function else 0) else ()


def read_listing(run: Interpreter, value: Value, *, bare: bool = True) -> Listing:
    """The tools in the answer of a handler, whatever wraps it; ``bare`` allows a list of tools without a wrapper."""
    if is_sdk(value, "mcp.types.ServerResult") and value.rest is None:
        return read_listing(run, value.names.get("root", NONE))
    if is_sdk(value, "mcp.types.ListToolsResult") and value.rest is None:
        listing = read_listing(run, _tools(run, value.names.get("tools", NONE)))
        return _with_pages(listing, value.names.get("nextCursor"))
    if value.branches:
        return _either(run, value, bare=bare)
    if not bare or value.sequence is None:
        unknown = first_unknown(value)
        reason = unknown.reason if unknown else f"the list handler returns {describe(value)}"
        return Listing((), reason)
    elements = spread(run, value)
    tools: list[Listed] = []
    incomplete = elements.rest.reason if elements.rest is not None else None
    for item in elements.items:
        for guards, inner in unwrapped(item):
            if is_sdk(inner, "mcp.types.Tool"):
                tools.append(Listed(inner, guards))
            else:
                incomplete = incomplete or _not_a_tool(inner)
    return Listing(tuple(tools), incomplete)


def _tools(run: Interpreter, value: Value) -> Value:
    """The elements of ``ListToolsResult(tools=...)``: pydantic converts a dict to a ``Tool``."""
    if not isinstance(value, (ListValue, TupleValue, ViewValue)):
        return value
    elements = spread(run, value)
    items: list[Value] = []
    for item in elements.items:
        given = item.as_dict
        plain = given is not None and all(entry.key.text is not None for entry in given.entries.values())
        keywords = item.by_key if plain else None
        items.append(make_model(run, "mcp.types.Tool", Arguments((), keywords)) if keywords is not None else item)
    return ListValue(items, elements.rest, origin=value.origin)


def _with_pages(listing: Listing, cursor: Value | None) -> Listing:
    if cursor is None or cursor.is_just(None):
        return listing
    return replace(listing, incomplete=listing.incomplete or MORE_PAGES, cursor=cursor)


MORE_PAGES = "the list has more than one page"


def _either(run: Interpreter, value: Value, *, bare: bool) -> Listing:
    """Join two answers: a tool in both is certain, unless one of them has it only under a condition."""
    (guard, _), (otherwise, _) = value.branches
    first, second = (read_listing(run, side, bare=bare) for side in value.sides)
    others = {id(listed.tool): listed.guards for listed in second.tools}
    both = {id(listed.tool) for listed in first.tools} & others.keys()
    tools = [
        Listed(listed.tool, listed.guards or others[id(listed.tool)])
        if id(listed.tool) in both
        else Listed(listed.tool, (guard, *listed.guards))
        for listed in first.tools
    ]
    tools += [
        Listed(listed.tool, (otherwise, *listed.guards)) for listed in second.tools if id(listed.tool) not in both
    ]
    return Listing(tuple(tools), first.incomplete or second.incomplete, first.doubt or second.doubt)


def _not_a_tool(value: Value) -> str:
    unknown = first_unknown(value)
    if unknown is not None:
        return unknown.reason
    kind = "a dict" if value.as_dict is not None else describe(value)
    return f"the list holds {kind}, which is no Tool of the SDK"


# --- mcp 2.x: pages and middleware ------------------------------------------------------------------------------------

MOST_PAGES = 100


def listed_by(run: Interpreter, server: SdkObject, handler: Value) -> Listing:
    """What ``server`` lists with this handler.

    Since mcp 2.0 the handler is called with a context and the parameters of the request, answers with a
    ``ListToolsResult``, and may have pages: a client sends no cursor for the first one, and then the last one's cursor.
    """
    if not is_renamed(run.versions):
        return run_handler(run, handler)
    cursor: Value = NONE
    asked: set[object] = set()
    whole = Listing(())
    while len(asked) < MOST_PAGES:
        page = run_handler(run, handler, list_arguments(cursor))
        more = page.incomplete == MORE_PAGES
        incomplete = whole.incomplete or (None if more else page.incomplete)
        whole = Listing((*whole.tools, *page.tools), incomplete, whole.doubt or page.doubt)
        following = page.cursor.scalar if page.cursor is not None else None
        if not more or following is None or following.value in asked:
            break
        cursor = following
        asked.add(following.value)
    if more:
        whole = replace(whole, incomplete=whole.incomplete or MORE_PAGES)
    return middleware_doubt(run, server, whole)


def list_arguments(cursor: Value = NONE) -> tuple[Value, Value]:
    """The arguments of the handler: a context of which only the method is known, and parameters, never ``None``."""
    request = reasons.request()
    context = SdkObject({"method": const("tools/list")}, request, "request context")
    params = SdkObject({"cursor": cursor, "_meta": request}, None, "mcp.types.PaginatedRequestParams")
    return context, params


def middleware_doubt(run: Interpreter, server: SdkObject, listing: Listing) -> Listing:
    """``listing`` unchanged if all middleware passes it on; otherwise with its tools unknown."""
    changer = _changer(run, server)
    if changer is None:
        return listing
    for listed in listing.tools:
        run.trail.touch(listed.tool)
        listed.tool.rest = listed.tool.rest or reasons.unknown(reasons.MUTATED, changer)
    return replace(listing, incomplete=listing.incomplete or changer, doubt=listing.doubt or changer)


def _changer(run: Interpreter, server: SdkObject) -> str | None:
    middleware = server.names.get("middleware")
    if middleware is None:
        return None
    if middleware.as_list is None or middleware.rest is not None:
        return "the middleware of the server is not known, and may change the list"
    for item in middleware.as_list.items:
        if not _passes_on(run, item):
            return f"the middleware {_named(item)} may change the list"
    return None


def _named(value: Value) -> str:
    function = value.underlying.as_function
    return function.name if function is not None else describe(value)


def _passes_on(run: Interpreter, middleware: Value) -> bool:
    """Whether the middleware returns the very answer that it received, unchanged."""
    request = reasons.request()
    tool = DictValue(rest=request)
    tools = ListValue([tool])
    answer = DictValue({"tools": Entry(const("tools"), tools)}, request)
    before = [(part, part.snapshot()) for part in (tool, tools, answer)]
    calls: list[Arguments] = []

    def call_next(_run: Interpreter, arguments: Arguments) -> Value:
        calls.append(arguments)
        return answer

    context = SdkObject({"method": const("tools/list"), "params": DictValue()}, request, "request context")
    with run.collected_risks():
        try:
            result = awaited(run, call(run, middleware, (context, Native("call_next", call_next))))
        except AbstractRaise:
            return False
    return result is answer and len(calls) == 1 and all(part.snapshot() == saved for part, saved in before)
