"""Join what is said of one server: of a tool that is registered twice, and of a program that starts in several ways.

Each way, by another command or branch, may give the server other tools.  What is said of the server must hold whichever
way is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.reasons import CONDITION
from pdmigrate.model import TOOL_FIELDS, Field, Fixed, Server, Site, Tool, Unknown

if TYPE_CHECKING:
    from pdmigrate.recognise.listing.answering import Answer, Answered

SEVERAL = "the server is started in more than one way"

_Key = tuple[str | Site, int]


def as_one(servers: Sequence[Server]) -> Server:
    """What ``servers``, made by one call, have in common; a tool that only some of them list is conditional."""
    first, *others = servers
    if not others:
        return first
    keyed = [_by_key(server) for server in servers]
    keys = dict.fromkeys(key for tools in keyed for key in tools)
    return replace(
        first,
        name=first.name if all(other.name == first.name for other in others) else None,
        tools=tuple(_agreed([tools[key] for tools in keyed if key in tools], len(servers)) for key in keys),
        incomplete=next((server.incomplete for server in servers if server.incomplete is not None), None),
        by_hand=next((server.by_hand for server in servers if server.by_hand is not None), None),
    )


def _by_key(server: Server) -> dict[_Key, Tool]:
    """The tools by name, or by site if the name is unknown; a number tells alternatives with the same key apart."""
    seen: Counter[str | Site] = Counter()
    found = {}
    for tool in server.tools:
        what = tool.name or tool.site
        found[what, seen[what]] = tool
        seen[what] += 1
    return found


def _agreed(copies: Sequence[Tool], ways: int) -> Tool:
    first = copies[0]
    conditions = [tool.conditional for tool in copies] + [SEVERAL] * (ways - len(copies))
    names = dict.fromkeys(name for tool in copies for name in tool.fields)
    fields = {name: _field([tool.fields.get(name) for tool in copies], first.site) for name in names}
    alike = all(field.unknown or field is first.fields.get(name) for name, field in fields.items())
    return replace(
        first,
        fields=fields,
        declaration=first.declaration if alike else Fixed(SEVERAL, CONDITION),
        conditional=next((condition for condition in conditions if condition is not None), None),
        optional=all(tool.optional for tool in copies),
    )


def _field(found: Sequence[Field | None], site: Site) -> Field:
    """A field that all copies of a tool send alike, or why it is unknown; ``None`` stands for a copy that omits it."""
    first, *others = found
    if first is not None and all(map(first.same_as, others)):
        return first
    return _unknown_in(found) or Unknown(f"{SEVERAL}, and differs", CONDITION, site=site)


def _unknown_in(fields: Iterable[Field | None]) -> Unknown | None:
    return next((field.unknown for field in fields if field is not None and field.unknown is not None), None)


# --- the tools of an answer -------------------------------------------------------------------------------------------

MADE = "PD324"


def tools_of(answer: Answer, site: Site) -> tuple[Tool, ...]:
    """The tools of an answer; ``site``, the server's, stands in for tools without a site."""
    return tuple(_unique([_tool(tool, site) for tool in answer.tools]))


def _tool(answered: Answered, site: Site) -> Tool:
    place = answered.site or site
    declaration = Fixed("it is made from a function", MADE, place)
    conditional = "; ".join(dict.fromkeys(answered.conditions)) or None
    return Tool(answered.fields, place, declaration, conditional, doc=answered.doc)


def nameless(tools: tuple[Tool, ...]) -> str | None:
    """Why a list is incomplete that holds a tool of unknown name; ``None`` if every name is known."""
    return next((f"the name of a tool is not known ({tool.site})" for tool in tools if tool.name is None), None)


def _unique(tools: list[Tool]) -> list[Tool]:
    """Merge tools of one name under different conditions; fields in which they differ are unknown."""
    result: dict[object, Tool] = {}
    for number, tool in enumerate(tools):
        key: object = tool.name if tool.name is not None else number
        result[key] = _either(result[key], tool) if key in result else tool
    return list(result.values())


def _either(first: Tool, second: Tool) -> Tool:
    fields: dict[str, Field] = {}
    for name in dict.fromkeys((*TOOL_FIELDS, *first.fields, *second.fields)):
        one, two = first.fields.get(name), second.fields.get(name)
        if one is None and two is None:
            continue
        if one is not None and one.same_as(two):
            fields[name] = one
        else:
            fields[name] = _unknown_in((one, two)) or Unknown("it is registered in more than one way", CONDITION)
    conditional = " or ".join(item for item in (first.conditional, second.conditional) if item)
    certain = first.conditional is None or second.conditional is None
    return Tool(fields, first.site, first.declaration, None if certain else conditional)
