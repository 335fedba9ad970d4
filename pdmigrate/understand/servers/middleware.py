"""Middleware of servers: which hooks of it see a list of tools."""

from __future__ import annotations

from pdmigrate.understand.demand.run import ExhaustedError, RaisedError, Run
from pdmigrate.understand.servers.making import lost, note
from pdmigrate.understand.servers.objects import REQUEST, Middleware, ServerValue, asked
from pdmigrate.understand.values.calls import Arguments, BoundMethod, Native
from pdmigrate.understand.values.containers import DictValue, ListValue
from pdmigrate.understand.values.core import NONE, Const, Maybe, Value
from pdmigrate.understand.values.objects import FunctionValue, Instance, describe
from pdmigrate.understand.values.outside import Called

_HOOKS = ("on_list_tools", "on_request", "on_message")
_PLAIN_BASES = frozenset({"", "builtins.object", "abc.ABC", "typing.Generic"})
_CHANGING = ("tool_injection", "authorization", "ToolInjection", "Authorization", "ResourcesAsTools", "PromptsAsTools")
"""What the names of those of fastmcp's middleware have in them that change the list."""


def add_middleware(run: Run, server: ServerValue, arguments: Arguments) -> Value:
    """``server.add_middleware(...)``"""
    value = arguments.all[0] if arguments.all else NONE
    hooks = _hooks(value)
    if hooks is None:
        lost(run, server, "a middleware of the server")
    elif hooks:
        note(run, server, Middleware(hooks))
    return NONE


def _hooks(value: Value) -> tuple[Value, ...] | None:
    """The functions that see a list, the innermost first; ``None`` if they are not known."""
    if isinstance(value, (FunctionValue, BoundMethod)):
        return (value,)
    if isinstance(value, Called) and _leaves_alone(value.callee):
        return ()
    if not isinstance(value, Instance) or value.cls.refused is not None:
        return None
    if any(name not in _PLAIN_BASES and not _leaves_alone(name) for name in value.cls.outside):
        return None
    whole = value.cls.find("__call__")
    found = [whole] if whole is not None else [value.cls.find(name) for name in _HOOKS]
    return tuple(BoundMethod(each, value) for each in found if each is not None)


def _leaves_alone(name: str) -> bool:
    """Whether a class of fastmcp's middleware leaves the list of tools as it is."""
    return name.startswith("fastmcp.server.middleware") and not any(part in name for part in _CHANGING)


# --- low-level servers since mcp 2.0 ----------------------------------------------------------------------------------


def changing(run: Run, server: ServerValue) -> str | None:
    """Why middleware of a low-level server may change its list; ``None`` if all of it hands the list on."""
    middleware = server.attributes.data.get("middleware")
    if middleware is None:
        return None
    if not isinstance(middleware, ListValue) or middleware.rest is not None:
        return "the middleware of the server is not known, and may change the list"
    hooks = (hook.value if isinstance(hook, Maybe) else hook for hook in middleware.data)
    changing = (describe(hook) for hook in hooks if not _hands_on(run, hook))
    return next((f"the middleware {name} may change the list" for name in changing), None)


def _hands_on(run: Run, hook: Value) -> bool:
    """Whether a middleware returns the very answer that it receives, unchanged."""
    tool = DictValue(rest=REQUEST)
    tools = ListValue([tool], REQUEST)
    answer = DictValue({(True, "tools"): (Const("tools"), tools)}, REQUEST)
    level = run.journal.push()
    try:
        result = run.call(hook, Arguments([asked(), Native("call_next", lambda _run, _arguments: answer)]))
    except (RaisedError, ExhaustedError):
        result = NONE
    changed = run.journal.since(level)
    while len(run.journal.levels) > level:
        run.journal.keep()
    return result is answer and changed.keys().isdisjoint((tool, tools, answer))
