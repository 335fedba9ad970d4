"""Rules for prose that need no reader: signs of detail where none belongs, and of guidance where it is due.

The specification's own example texts pass.  The rules favour the server: a text fails for what it plainly says, or for
saying nothing at all on a point.
"""

from __future__ import annotations

import re

_PARAMETERS = re.compile(
    r"(?im)"  # first, the sections of a docstring
    r"(?:^|[.;:]\s)[ \t]*(?:args|arguments|parameters?|params|kwargs|inputs?|returns|raises)[ \t]*:"
    r"|(?:^|\s):(?:param|type|return|raises)\b[^:\n]{0,200}:|@(?:param|returns?)\b"  # fields of other styles
    r"|^[ \t]*(?:[-*•][ \t]*)?`?\w+`?[ \t]*"
    r"\((?:str|string|int|integer|number|float|bool|boolean|list|array|dict|object)\b"
    r"|\"(?:type|properties|inputSchema)\"\s*:"  # a JSON Schema in prose
)
_EXAMPLES = re.compile(
    r"(?im)(?:^|[.;:]\s)[ \t]*(?:examples?|usage|sample (?:input|call|output)s?)[ \t]*:|```|^[ \t]*>>> "
)


def parameter_list(text: str) -> str | None:
    """The first place where a text describes parameters rather than a purpose; ``None`` if there is none."""
    return _found(_PARAMETERS, text)


def example(text: str) -> str | None:
    """The first place where a text shows an example or instructs in usage; ``None`` if there is none."""
    return _found(_EXAMPLES, text)


def only_names(text: str, name: str) -> bool:
    """Whether a text is the name of a tool, however it is spelled (``Read note.`` for ``read_note``)."""
    return bool(text) and _letters(text) == _letters(name)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _found(pattern: re.Pattern[str], text: str) -> str | None:
    match = pattern.search(text)
    return " ".join(text[match.start() : match.end() + 20].split()) if match else None


def relates_to_listing(text: str) -> bool:
    """4.2, 1: the relationship between ``tools/list`` and the resource."""
    return _has(
        r"tools?/list|list(?:s|ed|ing)? (?:of )?(?:the )?tools|tools? list|short descriptions?|summar(?:y|ies)", text
    )


def demands_fetch(text: str) -> bool:
    """4.2, 2: the description is to be fetched before the call."""
    fetch = r"\b(?:fetch|read|get|load|retriev|request)\w*\b"
    call = r"\b(?:call|invok|use|using|run|execut)\w*"
    return _has(rf"{fetch}.*{call}|{call}.*\b(?:before|until|unless|without|requires?)\b.*{fetch}", text)


def shows_query(text: str) -> bool:
    """4.2, 3: the syntax of the query parameter."""
    return _has(r"\?tools=|\btools\b.{0,20}\b(?:query|parameter)|\{\?tools", text)


def names_consequence(text: str) -> bool:
    """4.2, 4: what happens otherwise."""
    return _has(
        r"\b(?:cannot|can't|must|required?|requires|refus\w+|reject\w+|fails?|failed|error\w*|denied|until|unless|block\w*|"
        r"not work|not be able|TOOL_DESCRIPTION_REQUIRED)\b",
        text,
    )


def has_steps(text: str) -> bool:
    """4.2: clear sequential steps."""
    return _has(r"\bstep\s*1\b.*\bstep\s*2\b|(?:^|\s)1[.)]\s.*\s2[.)]\s|\bfirst\b.*\bthen\b", text)


def tells_choice_from_use(text: str) -> bool:
    """4.2: selecting a tool is one thing, learning its parameters another."""
    choose = r"\b(?:pick|select|choos|which|decide|what it does|WHAT)\w*"
    learn = r"\b(?:parameters?|arguments?|how to|HOW|schema|full description|details?)\b"
    return _has(choose, text) and _has(learn, text)


def shows_example(text: str) -> bool:
    """4.2: a concrete URI with its query."""
    return _has(r"[\w.+-]+://\S*\?tools=\w", text)


def says_it_authorizes(text: str) -> bool:
    """4.2: fetching authorises the tool for the session."""
    return _has(r"authori[sz]|unlock|grants?\b|enables? (?:it|the tool)|permit|for (?:this|the) session", text)


def names_descriptions(name: str) -> bool:
    """4.1: the resource's name says that it holds tool descriptions."""
    return _has(r"tool", name) and _has(r"descri|definition|schema|documentation", name)


def _has(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE | re.DOTALL) is not None
