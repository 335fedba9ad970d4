"""Rules for prose that need no reader: signs of detail where none belongs, and of guidance where it is due.

The specification's own example texts pass.  The rules favour the server: a text fails for what it plainly says, or for
saying nothing at all on a point.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from pdmigrate.describe.details import Details

_RETURNS = re.compile(r"(?im)(?:^|[.;:]\s)[ \t]*returns[ \t]*:|\"(?:type|properties|inputSchema)\"\s*:")
"""What only a docstring's sections or a JSON Schema in prose hold."""
_TAKES = r"\b(?:takes?|accepts?|expects?|requires?|needs?|arguments?|param(?:eter)?s?|inputs?|fields?|options?)\b"
_BOUND = (
    r"\W{0,3}\s?(?:is |are |must be |may be |has to be |to be )?(?:between|from|at least|at most|up to|min|max|<=|>=)\W"
)
_HANDLING = (
    r"\b(?:retry|try again)\b(?=[^.]*\b(?:once|twice|times|again|if|when|until|after)\b)"
    r"|\b(?:never|always|do not|don't|please)\s+"
    r"(?:set|pass|call|send|exceed|omit|leave|give|use|specify|provide)\b(?! (?:this|it)\b)"
    r"|\b(?:pass|specify|provide|supply|put|enter|fill in)\b[^.;]{0,60}"
    r"\b(?:as|in|for|with) the (?:field|parameter|argument)"
)
_SETTING = (
    (
        r"\b(?:set|pass|specify|provide|supply|leave|omit)\s+(?:the )?[`'\"]?(?:{either})[`'\"]?\s+"
        r"(?:to|as|when|if|only|empty|out|above|below|=)\b"
    ),
    r"\bpass\b[^.;]{{0,60}}\bas [`'\"]?(?:{either})\b",
)
"""Rules for one of the tool's own parameters."""
_WHEN = re.compile(r"(?i)\b(?:call|use) (?:this|it)\b")
"""A sentence that says when a tool is the right one, which is what stage one is for."""
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+|,? (?:and )?then (?=[a-z])")


def parameter_list(text: str, parameters: Iterable[str] = ()) -> str | None:
    """The first place where a text describes ``parameters`` rather than a purpose; ``None`` if there is none."""
    details = _details(text, _PARAMETER_KINDS)
    return details or _found(_RETURNS, text) or _naming(text, [name for name in parameters if name])


def example(text: str) -> str | None:
    """The first place where a text shows a call, its arguments or an example; ``None`` if there is none."""
    return _details(text, _EXAMPLE_KINDS)


def usage(text: str, parameters: Collection[str] = ()) -> str | None:
    """The first place where a text instructs in usage: an order of steps, a rule for the call, or for a parameter."""
    for sentence in _SENTENCE.split(text):
        if Details().is_step(sentence) and not _WHEN.search(sentence):
            return " ".join(sentence.split())
    own = (each.format(either=_either(parameters)) for each in _SETTING) if any(parameters) else ()
    return _found(re.compile("|".join((f"(?i){_HANDLING}", *own))), text)


def _naming(text: str, parameters: Sequence[str]) -> str | None:
    """Where a sentence lists parameters by name, or gives the bounds of one."""
    either = _either(parameters)
    if not either:
        return None
    one = rf"[`'\"]?\b(?:{either})\b[`'\"]?"
    listed = rf"{_TAKES}(?: are)?\W{{1,3}}(?:(?:an?|the)\s)?{one}(?:\s*\([^)]*\))?(?:,| and | or )[^.]*?{one}"
    return _found(re.compile(rf"(?i){listed}|\b(?:{either})\b{_BOUND}\s*-?\d"), text)


def _either(names: Iterable[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


_PARAMETER_KINDS = frozenset({"list", "needs", "field", "parameters", None})
_EXAMPLE_KINDS = frozenset({"call", "quoted", "quoted_value", "set", "json", "code", "examples"})


def _details(text: str, kinds: frozenset[str | None]) -> str | None:
    for match in Details().every(text):
        kind = match.lastgroup
        if kind == "label":
            kind = "examples" if re.match(r"(?i)usage|example|sample", match["label"]) else "parameters"
        if kind in kinds:
            return " ".join(text[match.start() : match.end() + 20].split())
    return None


def only_names(text: str, name: str) -> bool:
    """Whether a text is the name of a tool, however it is spelled (``Read note.`` for ``read_note``)."""
    return bool(text) and _letters(text) == _letters(name)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _found(pattern: re.Pattern[str], text: str) -> str | None:
    match = pattern.search(text)
    return " ".join(text[match.start() : match.end() + 20].split()) if match else None


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
    return _has(SAID[check], text)


def names_descriptions(name: str) -> bool:
    """4.1: the resource's name says that it holds tool descriptions."""
    return _has(r"tool", name) and _has(r"descri|definition|schema|documentation", name)


def _has(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE | re.DOTALL) is not None
