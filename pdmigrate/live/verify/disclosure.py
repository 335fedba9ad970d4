"""Checks of the resource itself: whether it is there, and says how to use it (sections 4.1, 4.2, 8 and 9.2).

What it says is told by its words, in doubt in the server's favour: the specification's own example texts pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial

from pdmigrate.live.verify.answers import short, text_of
from pdmigrate.live.verify.model import CheckVerdict, Interview, Judge, failed, passed, skipped
from pdmigrate.model import JsonObject, mapping

_FETCH, _CALL = r"\b(?:fetch|read|get|load|retriev|request)\w*\b", r"\b(?:call|invok|use|using|run|execut)\w*"
SAID: Mapping[str, str] = {
    # 4.2, 1: the relationship between tools/list and the resource
    "9.2-listing": r"tools?/list|list(?:s|ed|ing)? (?:of )?(?:the )?tools|tools? list|short description|summar(?:y|ie)",
    # 4.2, 2: the description is to be fetched before the call
    "9.2-before": rf"{_FETCH}.*{_CALL}|{_CALL}.*\b(?:before|until|unless|without|requires?)\b.*{_FETCH}",
    # 4.2, 3: the syntax of the query parameter
    "9.2-query": r"\?tools=|\btools\b.{0,20}\b(?:query|parameter)|\{\?tools",
    # 4.2, 4: what happens otherwise
    "9.2-otherwise": (
        r"\b(?:cannot|can't|must|required?|requires|refus\w+|reject\w+|fails?|failed|error\w*|denied|until|unless|block\w*|"
        r"not work|not be able|TOOL_DESCRIPTION_REQUIRED)\b"
    ),
    # 4.2: clear sequential steps
    "4.2-steps": r"\bstep\s*1\b.*\bstep\s*2\b|(?:^|\s)1[.)]\s.*\s2[.)]\s|\bfirst\b.*\bthen\b",
    # 4.2: selecting a tool is one thing, learning its parameters another
    "4.2-choice": (
        r"\A(?=.*\b(?:pick|select|choos|which|decide|what it does|WHAT)\w*)"
        r"(?=.*\b(?:parameters?|arguments?|how to|HOW|schema|full description|details?)\b)"
    ),
    # 4.2: a concrete URI with its query
    "4.2-example": r"[\w.+-]+://\S*\?tools=\w",
    # 4.2: fetching authorises the tool for the session
    "4.2-authorizes": r"authori[sz]|unlock|grants?\b|enables? (?:it|the tool)|permit|for (?:this|the) session",
}
"""By check, what the description of the resource must say: the words for it."""


def says(check: str, text: str) -> bool:
    """Whether the description of the resource says what a check asks for."""
    return re.search(SAID[check], text, re.IGNORECASE | re.DOTALL) is not None


def names_descriptions(name: str) -> bool:
    """4.1: the resource's name says that it holds tool descriptions."""
    return re.match(r"(?i)(?=.*tool).*(?:descri|definition|schema|documentation)", name) is not None


def _listed(seen: Interview) -> CheckVerdict:
    if seen.descriptor is not None:
        return passed(seen.resource)
    if not isinstance(mapping(seen.server.get("capabilities")).get("resources"), dict):
        return failed("the server does not declare the resources capability")
    found = ", ".join(text_of(each.get("uri") or each.get("error")) for each in seen.lists["resources/list"])
    return failed(f"resources/list has no resource of that name: {short(found, 200) or 'it is empty'}")


def _name(resource: JsonObject) -> CheckVerdict:
    name = text_of(resource.get("name"))
    return passed(name) if names_descriptions(name) else failed(f"the name is {name!r}")


def _mime(resource: JsonObject) -> CheckVerdict:
    mime = resource.get("mimeType")
    return passed() if mime == "application/json" else failed(f"mimeType is {mime!r}")


def _says(resource: JsonObject, check: str) -> CheckVerdict:
    """What the description says; the resource's name counts as its first line."""
    description = text_of(resource.get("description"))
    if not description.strip():
        return failed("the resource has no description")
    found = says(check, f"{text_of(resource.get('name'))}\n{description}")
    return passed() if found else failed(f"nothing on this in {short(description, 300)!r}")


def _of_resource(judge: Callable[[JsonObject], CheckVerdict]) -> Judge:
    return lambda seen: skipped("the resource is not listed") if seen.descriptor is None else judge(seen.descriptor)


def _instructions(seen: Interview) -> CheckVerdict:
    text = text_of(seen.server.get("instructions"))
    if "tool_descriptions" in text or seen.resource in text or (seen.bridge is not None and seen.bridge in text):
        return passed()
    return failed("the instructions that the server sends do not mention the resource" if text else "no instructions")


def _answered(seen: Interview) -> CheckVerdict:
    return failed("; ".join(seen.unanswered)) if seen.unanswered else passed()


JUDGES: dict[str, Judge] = {
    "9.2": _listed,
    "9.2-name": _of_resource(_name),
    **{check: _of_resource(partial(_says, check=check)) for check in SAID},
    "4.1-mime": _of_resource(_mime),
    "8-instructions": _instructions,
    "answers": _answered,
}
