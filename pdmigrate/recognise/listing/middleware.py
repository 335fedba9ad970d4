"""Middleware of mcp 2.x, which sees every answer and may replace it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.evaluate.core.operations import call
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    Arguments,
    DictValue,
    Entry,
    FunctionValue,
    ListValue,
    Native,
    SdkObject,
    Value,
    const,
)
from pdmigrate.evaluate.language.coroutines import awaited
from pdmigrate.recognise.listing.handlers import Listing

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


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
    if not isinstance(middleware, ListValue) or middleware.rest is not None:
        return "the middleware of the server is not known, and may change the list"
    for item in middleware.items:
        if not _passes_on(run, item):
            return f"the middleware {_named(item)} may change the list"
    return None


def _named(value: Value) -> str:
    function = value.unbound
    return function.name if isinstance(function, FunctionValue) else describe(value)


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
