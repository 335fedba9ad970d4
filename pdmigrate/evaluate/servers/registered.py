"""What a server of a decorator family is told: the record of its registrations, in order.

The record is a list of the evaluated program, so that what happens under a condition, in a loop or in a branch that
returns early is joined like any other list; what the SDK makes of it is read when the server starts (``replaying.py``).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pdmigrate.evaluate.core.values import Const, SdkObject, UnknownValue, Value
from pdmigrate.model import Field
from pdmigrate.schemas import specs

TOOL = "a registered tool"
"""The type name of ``ToolValue``: the SDK's own internal tool object."""

RECORD = "record"
"""The kind of a list that holds what a server was told; no code of the program sees it."""

TAMPERED = "<tampered>"
"""The name under which a server holds the object that stands for all of its tools, where code reaches for them."""


@dataclass(slots=True, eq=False)
class ToolValue(SdkObject):
    """A function as a tool.  ``names`` holds what the program sets on the object later."""

    function: specs.FunctionSpec = field(default_factory=lambda: specs.FunctionSpec("", ""))
    options: specs.Arguments = ()
    opaque: UnknownValue | None = None
    """Why nothing of the function is known; ``function`` is empty then."""
    value: Value = field(default_factory=lambda: Const(None))
    """The function itself, as the program passed it."""
    family: str = ""
    """By whose rules it is listed: ``mcp1-fastmcp``, ``fastmcp3``."""
    server: specs.Arguments = ()
    """The arguments of the server that it is registered with, as far as they matter to what is listed."""
    fields: dict[str, Field] | None = None
    """What it is listed as, once that was computed."""

    def option(self, name: str) -> specs.ValueSpec | None:
        return next((value for key, value in self.options if key == name), None)

    @property
    def tool_name(self) -> str | None:
        """The name that it is registered under; ``None`` when that is not known."""
        given = self.names.get("name")
        if given is not None:
            return given.value if isinstance(given, Const) and isinstance(given.value, str) else None
        option = self.option("name")
        if isinstance(option, specs.PlainValue) and isinstance(option.value, str) and option.value:
            return option.value
        if option is not None and option not in (specs.PlainValue(None), specs.PlainValue("")):
            return None
        return self.function.name if self.opaque is None else None


@dataclass(slots=True, eq=False)
class Removal(Value):
    """``remove_tool(name)``; ``name`` is ``None`` when it is not known."""

    name: str | None


@dataclass(slots=True, eq=False)
class Mounted(Value):
    """``mount(server, prefix)``: the tools of another server, as they are when somebody asks.

    ``unknown`` says why names are not known: the prefix, or a table of names, is not.
    """

    server: SdkObject
    prefix: str = ""
    names: dict[str, str] = field(default_factory=dict)
    unknown: UnknownValue | None = None


@dataclass(slots=True, eq=False)
class Visibility(Value):
    """``enable(...)`` or ``disable(...)`` of whatever matches every criterion that is given."""

    enabled: bool
    tags: frozenset[str] | None = None
    tool_names: frozenset[str] | None = None
    keys: frozenset[str] | None = None
    everything: bool = False
    nothing: bool = False
    """It is about other components than tools."""
    unsure: bool = False
    """What it is about is not known: it may be about any tool."""
    early: bool = False
    """It belongs to the tool's registration, and comes before those of the server."""


@dataclass(slots=True, eq=False)
class Unfollowed(Value):
    """Something that may add, hide or rewrite tools in a way that is not followed.

    ``rewrites``: also the fields of tools that are known may be others on the wire.
    ``replaces``: it lists tools of its own in the place of those that are known; some of these may stay, unchanged.
    """

    reason: UnknownValue
    rewrites: bool
    replaces: bool = False


@dataclass(slots=True, eq=False)
class Unordered(Value):
    """What was registered here, or after it, is not in this order."""

    reason: UnknownValue
