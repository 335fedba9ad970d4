"""Servers and tools as values: what a program told them, in order."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from pdmigrate.model import Site
from pdmigrate.sdk.families import Family, ServerClass
from pdmigrate.understand.demand.run import Run
from pdmigrate.understand.types.functions import read_now
from pdmigrate.understand.values.containers import DictValue, Followed, ListValue, Mutable, SetValue, State
from pdmigrate.understand.values.core import ARGUMENTS, MUTATED, NONE, OUTSIDE, Const, Maybe, Unknown, Value
from pdmigrate.understand.values.objects import (
    PLAIN_BASES,
    Arguments,
    BoundMethod,
    ClassValue,
    FunctionValue,
    Instance,
    Named,
    Native,
    Partial,
    SdkObject,
    text_of,
)

REQUEST = Unknown("the request of the client", ARGUMENTS)


def asked() -> SdkObject:
    """The context of a request for the list of tools, of which only the method is known."""
    told = {"method": "tools/list", "type": "request", "source": "client"}
    return SdkObject("the context of a request", {name: Const(text) for name, text in told.items()}, rest=REQUEST)


class ServerValue(Followed):
    """A server object.  ``data`` holds the events that decide what it lists, in order."""

    def __init__(self, cls: ServerClass, family: Family, site: Site | None) -> None:
        super().__init__([])
        self.cls, self.family, self.site = cls, family, site
        self.node: ast.AST | None = None
        self.handlers = DictValue()
        """The handlers of a low-level server, by what each is registered for."""
        self.attributes = Named()
        """What the program has set on the object, and its name."""
        self.options: dict[str, Value] = {}
        self.below: ServerValue | None = None
        """The low-level server inside a server whose tools are functions."""
        self.instance: Value | None = None
        """The object of a program class that the server is."""
        self.refused = ""
        """Why its constructor raises: whoever catches that has no such server."""
        self.started = False
        self.starts: list[tuple[Site | None, dict[Mutable, State]]] = []
        """What the server had been told where the program ran it; empty where it only made what is run later."""
        self.mounted = False


@dataclass(frozen=True, slots=True, eq=False)
class OwnHandler(Native):
    """What the SDK itself answers to a request, for a server whose tools are functions."""


@dataclass(frozen=True, slots=True, eq=False)
class DecoratedHandler(Native):
    """What a low-level server of mcp 1 makes of a function that is decorated as the handler of a request."""

    function: Value
    request: Value


OTHER_HANDLERS = Unknown("the SDK's other handlers", OUTSIDE)
"""What a server whose tools are functions answers to the requests that are not modelled."""


class ToolValue(Named):
    """A function as a tool.  ``data`` holds the attributes that the program sets on the tool later."""

    def __init__(self, function: Value, options: dict[str, Value], family: Family, site: Site | None) -> None:
        super().__init__()
        # The SDKs read a function, and the options, once: what the program does to them later does not show.
        self.given, self.function, self.family, self.site = function, _as_it_is(function), family, site
        self.options = {
            name: type(value)(value.data.copy(), value.rest)
            if isinstance(value, (DictValue, ListValue, SetValue))
            else value
            for name, value in options.items()
        }
        self.read: dict[ast.expr, Value] = {}
        """What annotations meant that are text and may mean something else later."""
        self.parts: dict[str, Value] = {}
        """The schemas that the SDK made, as far as the program has asked for them: as old as the tool."""


def new_tool(run: Run, function: Value, options: dict[str, Value], family: Family, site: Site | None) -> ToolValue:
    """A tool that the SDK makes here."""
    made = ToolValue(function, options, family, site)
    made.read = read_now(run, function)
    if made.read and family.package != "mcp":
        known = run.memory.setdefault(("read", function), made.read)
        if known != made.read:  # fastmcp keeps what it made of the parameters when it first saw the function
            made.read = dict.fromkeys({**known, **made.read}, run.unsettled("annotations are read twice", MUTATED))
    return made


def _as_it_is(function: Value) -> Value:
    if isinstance(function, BoundMethod):
        return replace(function, function=_as_it_is(function.function))
    return function.as_it_is() if isinstance(function, FunctionValue) else function


def is_plain(value: Value) -> bool:
    """Whether a value is an object of the program that has nothing from a library, and no name."""
    if not isinstance(value, Instance) or not set(value.cls.outside) <= PLAIN_BASES:
        return False
    return value.rest is None and "__name__" not in value.data


def is_function(value: Value) -> bool:
    """Whether a value is a function, or an object of the program that may be called like one."""
    return isinstance(value, (FunctionValue, BoundMethod, ClassValue, Partial)) or is_plain(value)


@dataclass(frozen=True, slots=True, eq=False)
class Registered(Value):
    tool: ToolValue
    site: Site | None


@dataclass(frozen=True, slots=True, eq=False)
class Removed(Value):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Visibility(Value):
    """Something by which any tool may be hidden that would be listed, or shown that would be hidden."""

    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Mounted(Value):
    """The tools of another server are listed too; ``unknown`` says why their names are not known."""

    server: ServerValue
    prefix: str
    unknown: Unknown | None = None
    copied: tuple[Value, ...] | None = None
    """The events of the other server if they were copied, and not looked at each time."""


@dataclass(frozen=True, slots=True, eq=False)
class Middleware(Value):
    """Functions of the program that see every list of tools, the innermost first."""

    hooks: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Opaque(Value):
    """Something that is not followed: it may add tools, and change or hide those that are there if it ``rewrites``.

    ``replaces``: it lists tools of its own in place of the others, of which some may stay, unchanged.
    """

    why: Unknown
    rewrites: bool = False
    replaces: bool = False


def changes_of(run: Run, arguments: Arguments) -> tuple[dict[str, Value], Unknown | None]:
    """The changes that ``model_copy(update=...)`` makes to a copy, and why there may be others."""
    update = arguments.keywords.get("update", NONE)
    if not isinstance(update, DictValue):
        why = run.because("a copy with changes that are not known", update) if update != NONE else None
        return {}, why or arguments.unknown
    changes = {text_of(key): item.why if isinstance(item, Maybe) else item for key, item in update.entries()}
    unsure = run.unsettled("a copy with a change that is not known") if None in changes else None
    known = {name: item for name, item in changes.items() if name is not None}
    return known, update.rest or unsure or arguments.unknown
