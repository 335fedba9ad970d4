"""The answer of a server to ``tools/list``."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce

from pdmigrate.model import Field, Site, Unknown, is_same
from pdmigrate.understand.servers.objects import REQUEST, ToolValue
from pdmigrate.understand.values.calls import BoundMethod, Partial
from pdmigrate.understand.values.core import CONDITION, Value
from pdmigrate.understand.values.objects import FunctionValue, SdkObject

CHANGEABLE = ("title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta", "execution")
"""The fields of a tool besides its name."""


@dataclass
class Listed:
    fields: dict[str, Field]
    site: Site | None
    conditions: tuple[str, ...] = ()
    doc: str | None = None
    source: SdkObject | None = None
    """The object of the SDK that is listed, if the program makes it."""

    tool: ToolValue | None = None
    """The function as a tool, if the SDK makes the entry of it."""
    annotations: SdkObject | None = None
    """The object that the SDK sends, which several tools may share, if the program has seen it."""
    titled: bool = False
    """Whether the program gave the tool a title when it got hold of the list."""
    has_version: bool = False
    enabled: bool = True
    optional: bool = False
    """Whether the tool is listed only where a setting of the program has another value than its default."""

    @property
    def name(self) -> str | None:
        known = self.fields.get("name")
        return known.text if known is not None else None


@dataclass
class Answer:
    """All tools that a server lists; ``incomplete`` says why there may be more."""

    tools: list[Listed] = field(default_factory=list)
    incomplete: str | None = None
    handler: Value | None = None
    """The handler of a low-level server that gives the answer."""


def blurred(known: Answer, reason: str, code: str) -> Answer:
    """An answer after something that may have changed any of its tools, hidden them, or added more."""
    unknown = Unknown(reason, code)
    for tool in known.tools:
        tool.fields = {**tool.fields, **dict.fromkeys(CHANGEABLE, unknown)}
        tool.conditions = (*tool.conditions, reason)
    known.incomplete = known.incomplete or reason
    return known


# --- one answer from several ------------------------------------------------------------------------------------------

_REASON = "it depends on how the server is made, or started"


def as_one(answers: list[Answer], reason: str = _REASON) -> Answer:
    """What all answers agree on; tools that only some of them have are conditional."""
    return reduce(lambda first, other: _both(first, other, reason), answers)


def _both(first: Answer, second: Answer, reason: str) -> Answer:
    theirs = {tool.name: tool for tool in second.tools if tool.name is not None}
    one, other = function_of(first.handler), function_of(second.handler)
    same = first.handler is second.handler or (one is not None and other is not None and one.node is other.node)
    made = Answer([], first.incomplete or second.incomplete, first.handler if same else None)
    for tool in first.tools:
        twin = theirs.get(tool.name or "")
        both, more = (agreed(tool, twin), twin.conditions) if twin is not None else (tool, (reason,))
        made.tools.append(replace(both, conditions=tuple(dict.fromkeys((*tool.conditions, *more)))))
    seen = {tool.name for tool in first.tools}
    others = (tool for tool in second.tools if tool.name not in seen)
    made.tools += [replace(tool, conditions=(*tool.conditions, reason)) for tool in others]
    return made


def once_each(tools: list[Listed]) -> list[Listed]:
    """One entry for each name of which some are listed only under a condition: what all of them agree on."""
    made: dict[object, Listed] = {}
    for number, tool in enumerate(tools):
        known = made.get(tool.name) if tool.name is not None else None
        if known is not None and (known.conditions or tool.conditions):
            made[tool.name] = agreed(known, tool)
        else:
            made[number if known is not None or tool.name is None else tool.name] = tool
    return list(made.values())


def agreed(first: Listed, second: Listed) -> Listed:
    fields: dict[str, Field] = {}
    for name in {**first.fields, **second.fields}:
        one, other = first.fields.get(name), second.fields.get(name)
        if one is not None and (isinstance(one, Unknown) or is_same(one, other)):
            fields[name] = one
        else:
            fields[name] = other if isinstance(other, Unknown) else Unknown(_REASON, CONDITION)
    both = (*first.conditions, *second.conditions) if first.conditions and second.conditions else ()
    return replace(first, fields=fields, conditions=both, optional=first.optional and second.optional)


def function_of(value: Value | None) -> FunctionValue | None:
    """The program's function behind a value that is called; ``None`` if there is none."""
    while isinstance(value, (BoundMethod, Partial)):
        value = value.function
    return value if isinstance(value, FunctionValue) else None


def requests(handler: Value) -> list[Value]:
    """A request for each parameter that a handler of the program requires."""
    inner = function_of(handler)
    if inner is None:
        return []
    return [REQUEST] * (len(inner.node.args.args) - len(inner.defaults) - isinstance(handler, BoundMethod))
