"""Convert the tools in the answers of servers to wire form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.model import TOOL_FIELDS, Field, Fixed, Known, Site, Tool, Unknown

if TYPE_CHECKING:
    from pdmigrate.recognise.listing.answering import Answer, Answered

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
    result: list[Tool] = []
    positions: dict[str, int] = {}
    for tool in tools:
        if tool.name is not None and tool.name in positions:
            index = positions[tool.name]
            result[index] = _either(result[index], tool)
            continue
        if tool.name is not None:
            positions[tool.name] = len(result)
        result.append(tool)
    return result


def _either(first: Tool, second: Tool) -> Tool:
    fields: dict[str, Field] = {}
    for name in dict.fromkeys((*TOOL_FIELDS, *first.fields, *second.fields)):
        one, two = first.fields.get(name), second.fields.get(name)
        if one is None and two is None:
            continue
        if isinstance(one, Known) and isinstance(two, Known) and one.value == two.value:
            fields[name] = one
        else:
            known = next((item for item in (one, two) if isinstance(item, Unknown)), None)
            fields[name] = known or Unknown("it is registered in more than one way", reasons.CONDITION)
    conditional = " or ".join(item for item in (first.conditional, second.conditional) if item)
    certain = first.conditional is None or second.conditional is None
    return Tool(fields, first.site, first.declaration, None if certain else conditional)


__all__ = ["nameless", "tools_of"]
