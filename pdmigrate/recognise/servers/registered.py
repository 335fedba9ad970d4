"""The record of the registrations with a server of a decorator family, in order.

The record is a list of the evaluated program, so events under a condition, in a loop or in a branch that returns early
are joined like the elements of any other list; ``replaying.py`` derives the SDK's list of tools from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pdmigrate.evaluate.core.values import Const, SdkObject, UnknownValue, Value
from pdmigrate.evaluate.language.any_order import RECORDS
from pdmigrate.model import Field
from pdmigrate.schemas import specs

TOOL = "a registered tool"
"""The type name of ``ToolValue``: the SDK's own internal tool object."""

RECORD = "record"
"""The kind of a list that holds the events of a server; no code of the program sees such a list."""

TAMPERED = "<tampered>"
"""The name under which a server holds the object that stands for all its tools when code reaches for them."""


@dataclass(slots=True, eq=False)
class ToolValue(SdkObject):
    """A function as a tool.  ``names`` holds the attributes that the program sets on the object later."""

    function: specs.FunctionSpec = field(default_factory=lambda: specs.FunctionSpec("", ""))
    options: specs.Arguments = ()
    opaque: UnknownValue | None = None
    """Why nothing is known of the function; ``function`` is empty then."""
    value: Value = field(default_factory=lambda: Const(None))
    """The function itself, as the program passed it."""
    family: str = ""
    """The family whose rules decide how the tool is listed: ``mcp1-fastmcp``, ``fastmcp3``."""
    server: specs.Arguments = ()
    """The server's arguments that affect how it lists the tool."""
    fields: dict[str, Field] | None = None
    """The fields that the tool is listed with, once computed."""

    def option(self, name: str) -> specs.ValueSpec | None:
        return next((value for key, value in self.options if key == name), None)

    @property
    def tags(self) -> list[Any] | None:
        """The tags that the tool was registered with; ``None`` if they are not known."""
        option = self.option("tags")
        if option is None or option == specs.PlainValue(None):
            return []
        items = option.items if isinstance(option, specs.ItemsValue) else None
        plain = [item.value for item in items or () if isinstance(item, specs.PlainValue)]
        return plain if items is not None and len(plain) == len(items) else None

    @property
    def tool_name(self) -> str | None:
        """The name that the tool is registered under; ``None`` if it is not known."""
        given = self.names.get("name")
        if given is not None:
            return given.text
        option = self.option("name")
        if isinstance(option, specs.PlainValue) and isinstance(option.value, str) and option.value:
            return option.value
        if option is not None and option not in (specs.PlainValue(None), specs.PlainValue("")):
            return None
        return self.function.name if self.opaque is None else None


@dataclass(slots=True, eq=False)
class Removal(Value):
    """``remove_tool(name)``; ``name`` is ``None`` if it is not known."""

    name: str | None


@dataclass(slots=True, eq=False)
class Mounted(Value):
    """``mount(server, prefix)``: the tools of another server, as they are when the list is requested.

    ``unknown`` says why the names are not known: the prefix, or the table of names, is not.
    """

    server: SdkObject
    prefix: str = ""
    names: dict[str, str] = field(default_factory=dict)
    unknown: UnknownValue | None = None


@dataclass(slots=True, eq=False)
class Visibility(Value):
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
    early: bool = False
    """Whether it belongs to the tool's registration, and precedes the server's own events."""


@dataclass(slots=True, eq=False)
class Unfollowed(Value):
    """An event that may add, hide or rewrite tools in a way that is not followed.

    ``rewrites``: the fields of known tools may change on the wire, too.
    ``replaces``: it lists tools of its own in place of the known ones; some of these may stay, unchanged.
    """

    reason: UnknownValue
    rewrites: bool
    replaces: bool = False


def _tool_name(item: Value) -> str | None:
    return item.tool_name if isinstance(item, ToolValue) else None


RECORDS[RECORD] = _tool_name
