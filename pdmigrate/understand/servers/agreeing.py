"""One answer from several: a server that one place makes more than once, or that several starts leave differently."""

from __future__ import annotations

from dataclasses import replace

from pdmigrate.model import Field, Unknown
from pdmigrate.understand.servers.answers import Answer, Listed
from pdmigrate.understand.values.calls import BoundMethod, Partial
from pdmigrate.understand.values.codes import CONDITION
from pdmigrate.understand.values.core import Value
from pdmigrate.understand.values.objects import FunctionValue

_REASON = "it depends on how the server is made"


def as_one(answers: list[Answer]) -> Answer:
    """What all answers agree on; tools that only some of them have are conditional."""
    first, *others = answers
    for other in others:
        first = _both(first, other)
    return first


def _both(first: Answer, second: Answer) -> Answer:
    theirs = {tool.name: tool for tool in second.tools if tool.name is not None}
    handler = first.handler if code_of(first.handler) is code_of(second.handler) else None
    made = Answer([], first.incomplete or second.incomplete, handler)
    seen: set[str | None] = set()
    for tool in first.tools:
        other = theirs.get(tool.name) if tool.name is not None else None
        seen.add(tool.name)
        made.tools.append(agreed(tool, other) if other is not None else _conditional(tool))
    made.tools += [_conditional(tool) for tool in second.tools if tool.name not in seen]
    return made


def _conditional(tool: Listed) -> Listed:
    return replace(tool, conditions=(*tool.conditions, _REASON))


def agreed(first: Listed, second: Listed) -> Listed:
    fields: dict[str, Field] = {}
    for name in {**first.fields, **second.fields}:
        one, other = first.fields.get(name), second.fields.get(name)
        if (one is not None and (one == other or one.same_as(other))) or isinstance(one, Unknown):
            fields[name] = one
        else:
            fields[name] = other if isinstance(other, Unknown) else Unknown(_REASON, CONDITION)
    both = (*first.conditions, *second.conditions) if first.conditions and second.conditions else ()
    return replace(first, fields=fields, conditions=both, optional=first.optional and second.optional)


def code_of(handler: Value | None) -> object:
    """The code of the program's function that a handler is; the handler itself if it is none."""
    inner = handler
    while isinstance(inner, (BoundMethod, Partial)):
        inner = inner.function
    return inner.node if isinstance(inner, FunctionValue) else handler
