"""The record of what a server whose tools are functions was told, in order: tools, mounts, what hides or rewrites them.

The record is a list of the evaluated program, so events under a condition, in a loop or in a branch that returns early
are joined like the elements of any other list; ``listing/replaying.py`` derives the SDK's list of tools from it.
Bodies of tools are never evaluated: registering a function reads its signature and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.joining import join_values
from pdmigrate.evaluate.core.values import (
    INSIDE,
    NONE,
    Guard,
    ListValue,
    Maybe,
    SdkObject,
    UnknownValue,
    Value,
    is_sdk,
)
from pdmigrate.evaluate.language.any_order import RECORDS
from pdmigrate.families import DECORATED, Family, ServerClass, of_class
from pdmigrate.model import Field
from pdmigrate.schemas import specs

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

CLASSES = {each.type: each for each in DECORATED}
"""The server classes of the decorator families by their canonical dotted names."""
TOOL_CLASSES = {name: each for each in DECORATED for name in each.tools}
REMOTE = frozenset({"from_openapi", "from_fastapi", "from_client", "as_proxy", "create_proxy", "FastMCPProxy"})
"""The callables that make a server whose tools are defined elsewhere."""
TOOL = "a registered tool"
"""The type name of ``ToolValue``: the SDK's own internal tool object."""
RECORD = "record"
"""The kind of a list that holds the events of a server; no code of the program sees such a list."""
EVENTS = "<events>"
"""The key in a server's ``names`` of the list of its events."""
SUBCLASS = "<subclass>"
"""The key in a server's ``names`` of the instance of a derived class that the server is."""
TAMPERED = "<tampered>"
"""The name under which a server holds the object that stands for all its tools when code reaches for them."""
HELD_TAGS = "<tags>"
"""The name under which a tool holds its set of tags once the program has asked for it, and may change it."""
UNKNOWN_VERSION = "<unknown>"
HIDES, REWRITES = "<hides>", "<rewrites>"
"""The names under which a server holds its last event that may hide, or change, tools.

A loop of unknown length loses the events that it adds to a record, but leaves the value of such a name unknown.
"""


@dataclass(slots=True, eq=False)
class ToolValue(SdkObject):
    """A function as a tool.  ``names`` holds the attributes that the program sets on the object later."""

    function: specs.FunctionSpec = field(default_factory=lambda: specs.FunctionSpec("", ""))
    options: specs.Arguments = ()
    opaque: UnknownValue | None = None
    """Why nothing is known of the function; ``function`` is empty then."""
    value: Value = NONE
    """The function itself, as the program passed it."""
    family: str = ""
    """The family whose rules decide how the tool is listed: ``mcp1-fastmcp``, ``fastmcp3``."""
    server: specs.Arguments = ()
    """The server's arguments that affect how it lists the tool."""
    fields: dict[str, Field] | None = None
    """The fields that the tool is listed with, once computed."""
    given: dict[str, Value] = field(default_factory=dict)
    """The options as the program passed them: objects that it may change after the registration."""

    def option(self, name: str) -> specs.ValueSpec:
        """An option of the registration; the value ``None`` if it is not given."""
        return next((value for key, value in self.options if key == name), specs.PlainValue(None))

    @property
    def tags(self) -> list[Any] | None:
        """The tags that the tool has; ``None`` if they are not known."""
        if (held := self.names.get("tags", self.names.get(HELD_TAGS))) is not None:
            known = held.as_set
            exact = known is not None and known.exact and known.rest is None
            texts = [item.text for item in known.items.values()] if known is not None and exact else [None]
            return [text for text in texts if text is not None] if None not in texts else None
        return self.registered_tags

    @property
    def registered_tags(self) -> list[Any] | None:
        """The tags that the tool was registered with; ``None`` if they are not known."""
        match self.option("tags"):
            case specs.PlainValue(None):
                return []
            case specs.ItemsValue(items=items):
                plain = [item.value for item in items if isinstance(item, specs.PlainValue)]
                return plain if len(plain) == len(items) else None
        return None

    @property
    def version(self) -> str | None:
        """The version of the tool; ``None`` if it has none, ``UNKNOWN_VERSION`` if it is not known."""
        match self.option("version"):
            case specs.PlainValue(None):
                return None
            case specs.PlainValue(str() as version):
                return version
        return UNKNOWN_VERSION

    @property
    def tool_name(self) -> str | None:
        """The name that the tool is registered under; ``None`` if it is not known."""
        if "name" in self.names:
            return self.names["name"].text
        match self.option("name"):
            case specs.PlainValue(None | ""):
                return self.function.name if self.opaque is None else None
            case specs.PlainValue(str() as name):
                return name
        return None


class Event(Value):
    """What a server was told besides its tools."""

    __slots__ = ()

    @property
    def change(self) -> str:
        """Whether the event may hide tools or change them: ``HIDES``, ``REWRITES`` or empty."""
        return ""


@dataclass(slots=True, eq=False)
class Removal(Event):
    """``remove_tool(name)``; ``name`` is ``None`` if it is not known."""

    name: str | None

    @property
    def change(self) -> str:
        return HIDES


@dataclass(slots=True, eq=False)
class Mounted(Event):
    """``mount(server, prefix)``: the tools of another server, as they are when the list is requested.

    ``unknown`` says why the names are not known: the prefix, or the table of names, is not.
    """

    server: SdkObject
    prefix: str = ""
    names: dict[str, str] = field(default_factory=dict)
    unknown: UnknownValue | None = None


@dataclass(slots=True, eq=False)
class Visibility(Event):
    """``enable(...)`` or ``disable(...)`` of all components that match every given criterion."""

    enabled: bool
    tags: frozenset[str] | None = None
    tool_names: frozenset[str] | None = None
    keys: frozenset[str] | None = None
    everything: bool = False
    nothing: bool = False
    """Whether the event concerns only components other than tools."""
    unsure: bool = False
    """Whether its criteria are unknown, so that it may concern any tool."""

    @property
    def change(self) -> str:
        return HIDES


@dataclass(slots=True, eq=False)
class Unfollowed(Event):
    """An event that may add, hide or rewrite tools in a way that is not followed.

    ``rewrites``: the fields of known tools may change on the wire, too.
    ``replaces``: it lists tools of its own in place of the known ones; some of these may stay, unchanged.
    """

    reason: UnknownValue
    rewrites: bool = False
    replaces: bool = False

    @property
    def change(self) -> str:
        return REWRITES if self.rewrites or self.replaces else ""


def as_tool(value: Value | None) -> ToolValue | None:
    """``value`` itself, if it is a registered tool."""
    return value if isinstance(value, ToolValue) else None


def _tool_name(item: Value) -> str | None:
    tool = as_tool(item)
    return tool.tool_name if tool is not None else None


RECORDS[RECORD] = _tool_name


def family_of(run: Interpreter, server: ServerClass) -> Family:
    """The family of a server class in the version that the program runs on."""
    return of_class(server, run.versions.get(server.package, ""))


def events_of(server: SdkObject) -> ListValue:
    """The record of what ``server`` was told."""
    events = server.names[EVENTS].as_list
    assert events is not None
    return events


def record(run: Interpreter, server: SdkObject, event: Value) -> None:
    """Append ``event``, or a tool, to the record of ``server``."""
    events = events_of(server)
    run.trail.touch(events)
    events.items.append(event)
    change = event.change if isinstance(event, Event) else ""
    if change:
        run.trail.touch(server)
        server.names[change] = event


def guarded(value: Value, guards: tuple[Guard, ...]) -> Value:
    """``value`` as an element of a list that is there only under these conditions."""
    for guard in reversed(guards):
        value = Maybe(value, guard)
    return value


def outside_changer(server: SdkObject) -> UnknownValue | None:
    """The code from outside the project that was handed the server, as an unknown value; ``None`` if there is none.

    A function that is left out for its steps is no such code: what it may change is known by what it spells.
    """
    return server.rest if server.rest is not None and server.rest.code == reasons.MUTATED else None


def registry_in(value: Value) -> SdkObject | None:
    """The server object that ``value`` is, or wraps as an instance of a subclass; ``None`` if it is no server."""
    instance = value.as_instance
    inner = instance.names.get(INSIDE, value) if instance is not None else value
    return inner if is_sdk(inner, *CLASSES) else None


def each(run: Interpreter, value: Value, make: Callable[[Value], Value]) -> Value:
    """``make(value)``, applied to each alternative of a choice."""
    if not value.branches:
        return make(value)
    (guard, first), (_, second) = value.branches
    return join_values(guard, each(run, first, make), each(run, second, make))
