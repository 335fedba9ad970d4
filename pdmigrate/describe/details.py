"""Details in prose: call syntax, parameter lists, examples, and orders of steps, none of which a summary may hold.

The rules look for what plainly is a detail.  Prose in parentheses, a function that is only mentioned (``malloc()``),
a template (``{id}``) and the query of an address (``?page=2``) are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_VALUE = r"(?:['\"‘“]|-?\d|\[|\{|(?:true|false|none|null)\b)"
_TYPE = (
    r"(?:str(?:ing)?|int(?:eger)?|number|float|bool(?:ean)?|list|array|dict|object|enum|any|date(?:time)?"
    r"|required|optional|default)"
)
_LABEL = (
    r"(?:args|arguments|kwargs|param(?:eter)?s|inputs?(?: schemas?)?|raises|(?:usage )?examples?|usage"
    r"|sample (?:input|call)s?)"
)
_NAME = r"[A-Za-z_][\w.]{0,80}"

_DETAIL = re.compile(
    # search(q='tide')
    rf"(?<![\w?&;%/])(?P<call>{_NAME}\((?:{_VALUE}|[^()\n]{{0,80}}?\w\s?=\s?[\w'\"\[{{-])[^()\n]{{0,200}}\)?)"
    rf"|`(?P<quoted>{_NAME}\([^()`\n]{{1,200}}\))`"  # `search(query)`
    rf"|(?<![\w?&;%/.:-])(?P<quoted_value>[A-Za-z_]\w{{0,60}}=['\"][^'\"\n]{{0,200}}['\"])"  # units='metric'
    rf"|(?:\b(?:set|setting|pass|passing|with|use|using|add|give|as|like)\s|e\.g\.,?\s|[,(]\s?|:\s)`?"
    rf"(?P<set>[A-Za-z_]\w{{0,60}}={_VALUE})"  # set dry_run=true
    rf"|(?P<json>\{{\s*(?:['\"]\w[^'\"\n]{{0,40}}['\"]|\w+)\s*:\s)"  # {"to": "bo"}
    rf"|(?P<list>`?\b\w+`?\s?\(`?{_TYPE}\b`?\s?(?:[,;:=)|\[]|\d))"  # query (str, required)
    rf"|(?P<typed>(?:^|(?<=[(\[,;])|(?<=\s[-–—]))\s?`?[a-z_]\w*`?\??\s?:\s?{_TYPE}\b(?:\[\w+\])?)"  # (query: string)
    rf"|(?:^|(?<=[\s(*]))(?P<label>{_LABEL})\b\*{{0,2}}\s?:(?!\w)"  # Args: ...
    r"|^(?P<needs>(?:required|optional|accepts|expects|takes)(?: (?:fields?|param\w*|arguments?|inputs?))?)\s?:(?!\w)"
    r"|(?:^|(?<=\s)):(?P<field>param|type|returns?|rtype|raises)\b[^:\n]{0,80}:|(?:^|(?<=\s))@(?:param|returns?)\b"
    r"|(?P<code>```|>>> )",
    re.IGNORECASE,
)
_CALLED = r"(?<![\w.])(?:{names})\([^()\n]*\)?"
"""A call of a tool of this server, whatever is in its parentheses."""
_ORDER = (
    r"\W*(?:(?:call|run|invoke) (?:the )?[`'\"]*"
    r"|(?:requires?|needs?|ensure|make sure|be sure|do this|only|you (?:need|must|have))\b.{{0,80}}?"
    r"(?:[`'\"]|\b(?=\w*[^\W_a-z]|\w*_)))"
    r"(?:{names})(?!\w)"
    r"|\W*(?:use|get|obtain|fetch|find|take|look up)\b.{{0,60}}?(?:[`'\"]|\b(?=\w*_))(?:{names})(?!\w)"
    r".{{0,60}}?\b(?:first\W*$|(?:and )?then (?:call|use|run|pass|give|hand|set|invoke)\b)"
)
"""A sentence that asks for a call of another tool; a name that is a common word must stand in quotes there."""
_NO_NAME = re.compile(r"(?!)")

_MARKS = " \t\n\r\f\v,;:([—–*`'\"→|<>，、（-"
_LEADING_TO_DETAIL = re.compile(
    r"(?:例如|比如|\b(?:e\.?g\.?|i\.e\.|etc|ex|for example|for instance|such as|like|as in"
    r"|as|with|using|via|by|call|calling|called|use|set|setting|pass|passing|takes?|accepts?|requires?|given|from"
    r"|where|when|if|and|or|then|the|an?|its|syntax|usage|example)[\s.:,]{0,9})\Z",
    re.IGNORECASE,
)
"""A word that leads to a detail, and that says nothing without it."""
_WORDS, _LONGEST_WORD = 40, 24
"""How many such words are taken away, and the characters within which one ends."""

_SIGNATURE = re.compile(
    r"^`?[A-Za-z_][\w.]*\([^()\n]*\)`?(?:\s*->\s*`?[\w.]+(?:\[[^\]]*\])?`?)?\s*(?:[:—–-]|</\w+>)\s*(?=\w)"
)
"""A call at the beginning, with what it returns, before the text: ``search(query) -> list: Search notes.``"""
_MIDWAY = re.compile(
    r"[,;:]\s+(?:(?:you )?(?:must|should|need to|have to) |please )?first,? (?:call|use|run|invoke|fetch|get)\b", re.I
)
"""Where an order of steps begins within a sentence."""

_STEP = re.compile(
    r"\W*(?:(?:important|note|warning|prerequisites?|workflow|required|requirement)\W+)?(?:"
    r"first(?:ly| of all)?,?\s+(?:you (?:must|should|need to|have to) )?(?:please )?"
    r"(?:call|use|run|invoke|fetch|read|get|list|find|ask|check|create|load|connect|log ?in|set|open|select|pick|search"
    r"|retrieve|make sure|ensure|obtain|look)\b"
    r"|step\s*(?:\d|one)\b|(?:prerequisites?|workflow|instructions|usage notes?)\s*:|call (?:this|it)(?: tool)?\W*$"
    r"|(?:then|next|finally|afterwards|after that),? (?:you |call|use|run|pass|set|invoke)"
    r"|you (?:need|must|have|should)\b.*\bbefore (?:using|calling|you|this)\b"
    r"|(?:before|after|prior to) (?:you |calling|using|running|invoking|having|anything else|all other|use\b)"
    r"|[2-9]\)\s+(?:call|use|run|pick|choose|select|pass|set|get)\b|(?:log|sign) in first\b|please\b"
    r"|(?:how )?to use(?: (?:this|it)(?: tool)?)?\s*[:,]|follow these steps"
    r"|start (?:by (?:calling|running|using|invoking)|with [`'\"]?\w+_\w+)\b|only works (?:after|once)\b"
    r"|(?:this|the) tool (?:must|should|has to|needs to|can only) be (?:called|used|run) (?:first|after|before)\b"
    r"|you (?:must|should|need to|have to) (?:first|already|be logged|be signed)\b"
    r"|(?:call|use|run|invoke) (?:the )?[`'\"]?\w+\([^()]*\).{1,80}?\bthen\b"
    r"|(?:requires?|needs?) .{1,60}?\b(?:from|of|by|see) [`'\"]?\w+\("
    r"|(?:pass|provide|supply|specify|give|put|enter) .{1,60}? (?:as|in) (?:the )?[`'\"]\w+[`'\"]"
    r"|(?:(?:you )?(?:must|should|need to|have to)|always|please|make sure (?:you|to)|be sure to)(?: have)?"
    r"(?: always| first)? (?:call|called|run|invoke|use [`'\"]?\w+_\w+)\b(?! (?:this|it)\b)"
    r"|(?:call|use|run|invoke|execute) (?:the )?[`'\"]?\w+[`'\"]?(?: tool)? (?:first|before|then|and then)\b"
    r"|do not call\b|don't call\b|never call\b)",
    re.IGNORECASE,
)
"""A sentence that gives an order of steps, or a rule for the call, instead of telling what the tool does."""


class Details:
    """What counts as a detail in the prose of one server, whose tools are called ``names``."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name)
        self._call = re.compile(_CALLED.format(names=either)) if either else _NO_NAME
        self._order = re.compile(_ORDER.format(names=either), re.IGNORECASE) if either else _NO_NAME

    def first(self, text: str) -> re.Match[str] | None:
        """The first detail in a text."""
        found = [match for pattern in (_DETAIL, self._call) if (match := pattern.search(text))]
        return min(found, key=lambda match: match.start(), default=None)

    def every(self, text: str) -> Iterator[re.Match[str]]:
        """All details in a text; the name of the group that matched last is their kind."""
        return _DETAIL.finditer(text)

    def before(self, sentence: str) -> str:
        """A sentence up to its first detail, without the words that lead to it; empty if too little is left."""
        sentence = _SIGNATURE.sub("", sentence)
        detail = self.first(sentence) or _MIDWAY.search(sentence)
        if detail is None:
            return sentence
        left = _without_lead(sentence[: detail.start()])
        whole = left.count("(") == left.count(")") and left.count("`") % 2 == 0
        if not whole:
            left = _without_lead(left[: max(left.rfind("("), left.rfind("`"))])
        return left if len(re.findall(r"\w+", left)) > 1 or re.search(r"[^\x00-\x7f]{4}", left) else ""

    def is_step(self, sentence: str) -> bool:
        """Whether a sentence gives an order of steps instead of telling what the tool does."""
        return bool(_STEP.match(sentence) or self._order.match(sentence))


def _without_lead(text: str) -> str:
    """``text`` without the marks and words at its end that lead to a detail."""
    for _ in range(_WORDS):
        text = text.rstrip(_MARKS)
        if (word := _LEADING_TO_DETAIL.search(text, max(0, len(text) - _LONGEST_WORD))) is None:
            break
        text = text[: word.start()]
    return text
