"""The stage-1 text of a tool: sentences of its own description, word for word, in at most 200 characters.

The first sentence says what the tool does, unless it gives an order of steps.  A sentence that says when to use the
tool, or which sibling is for another case, follows if there is one, and is worth more than the second half of the first
sentence.  Both end where call syntax, a parameter list or an example begins.  Nothing is added: keywords chosen from
the description by a score would lead to the wrong tool as soon as a keyword comes from "not for ...".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from pdmigrate.describe.details import Details
from pdmigrate.model import JsonValue

PART = re.compile(r"(?m)\n\s*\n|\n(?=\s*(?:[-*•#]|\d+[.)]\s|```|\w[\w ]{0,30}:\s*$))")
MARK = re.compile(r"^(?:(?:[-*•#]+|\d+[.)])\s+)+")
SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!\.\.)(?<!\b[A-Z]\.)(?<!\b[Ee]\.g\.)(?<!\b[Ii]\.e\.)(?<!\bvs\.)(?<!\betc\.)"
    r"(?<!\bincl\.)(?<!\bapprox\.)\s+|(?<=[。！？।])"
    r"|(?:(?<=[.!?…][\"')\]])|(?<=[.!?]\*\*))\s+(?![a-z—–-])"
)


@lru_cache(64)  # one description is split several times in a row
def sentences(part: str) -> tuple[str, ...]:
    """The sentences of a paragraph or list item, each in one line."""
    text = MARK.sub("", " ".join(part.split()))
    return tuple(text for text in SENTENCE_END.split(text) if re.search(r"\w", text))


def summarise(description: str | None) -> str | None:
    """The first sentence of a description, cut between words if it is very long."""
    parts = map(sentences, PART.split((description or "").strip()))
    first = next((part[0] for part in parts if part), description)
    return shortened(first) if first else first


def shortened(sentence: str) -> str:
    """A sentence, cut between words if it is very long."""
    if len(sentence) <= 200:
        return sentence
    return re.sub(r"^(.{99,197}[^\s,;:(-](?=[\s,;:])|.{199}).*", r"\1…", sentence)


LONGEST = 200
_LEAST = 25
"""The fewest characters to which a first sentence is shortened to make room for another; fewer would say nothing."""

_SECTION = r"(?:args|arguments|param(?:eter)?s|inputs?|raises|(?:usage )?examples?)\b"
_DETAILS = re.compile(rf"^[ \t#*]*(?:(?:{_SECTION}|returns?)[ \t*]*(?::|$)|```)", re.IGNORECASE | re.MULTILINE)
"""The beginning of a docstring's sections, which describe parameters and results."""
_IS_DETAIL = re.compile(rf"\W*(?:{_SECTION}|```)", re.IGNORECASE)
_RETURNS = re.compile(r"returns?:\s+", re.IGNORECASE)

_WHEN = re.compile(
    r"\W*(?:(?:usage|when to use|important|note|tip|warning)\W+)?(?P<said>(?:"
    r"(?:(?:always|only|best|to be) )?used? (?:(?:this|it)(?: tool| function)?[ ,—–-]+"
    r"(?:to|for|if|when|whenever|only|before|after|instead|not|as|rather|over)|only|when|for|if|instead)\b"
    r"|(?:only|not|best|useful|ideal|intended|meant|suitable) (?:for|when|if|to)\b"
    r"|(?:only )?call (?:(?:this|it)(?: tool)? )?(?:when|whenever|before|after|if)\b"
    r"|prefer this\b).*)",
    re.IGNORECASE,
)
"""A sentence that says when to use a tool; ``said`` is the sentence without a heading such as ``Note:``."""
_CONDITION = re.compile(r"\b(?:for|if|to|when|unless|unlike)\b", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[,;:]\s|[，；、]|\s[—–(-]")


def summaries(descriptions: Mapping[str, JsonValue]) -> dict[str, str]:
    """The summaries of one server's tools by name, from the ``descriptions`` of all its tools by name.

    A tool whose description is empty or unknown has no summary; the summary of a tool whose description holds nothing
    but details is its name.  Siblings share a summary only if their descriptions differ in nothing but parameters and
    examples, which a summary must not hold, or if no sentence of their own fits after the first.
    """
    texts = {name: text for name, text in descriptions.items() if isinstance(text, str)}
    sibling, details = _sibling(descriptions), Details(descriptions)
    made = {name: summary for name, text in texts.items() if (summary := _summary(name, text, sibling, details))}
    alike = defaultdict(list)
    for name, summary in made.items():
        alike[summary].append(name)
    for names in alike.values():
        if len({texts[name] for name in names}) > 1:
            made.update(_told_apart({name: texts[name] for name in names}, made, details))
    return made


def _summary(name: str, description: str, sibling: re.Pattern[str], details: Details) -> str:
    first = _purpose(description, details)
    choices = (choice for choice in _choices(name, description, sibling) if choice[-1] not in first)
    for _, _, sentence in sorted(choices) if first else ():
        if details.first(sentence) is None and (joined := _joined(first, sentence, len(description))) is not None:
            return joined
    return shortened(first) or (name if re.search(r"\w", description) else "")


def _purpose(description: str, details: Details) -> str:
    """The first sentence that tells what a tool does, up to its first detail; empty if there is none."""
    parts = PART.split(description.strip())
    said = list(_sentences(parts))
    steps = {sentence for sentence in said if details.is_step(sentence)}
    # In one line with a list of parameters or an example, the next sentence may be about the tool again.
    inline = _sentences(part for part in parts if "\n" not in part)
    told = [*_without_details(description), *(_RETURNS.sub("", sentence) for sentence in inline)]
    candidates = (*(one for one in told if one not in steps), *(one for one in said if one in steps))
    return next(filter(None, map(details.before, candidates)), "")


def _sentences(parts: Iterable[str]) -> Iterator[str]:
    return (sentence for part in parts for sentence in sentences(part))


def _choices(name: str, description: str, sibling: re.Pattern[str]) -> Iterator[tuple[int, int, str]]:
    """Sentences that help to choose the tool, as ``(rank, position, sentence)``; a named sibling ranks first."""
    detail = _DETAILS.search(description.strip(), 1)
    prose = description.strip()[: detail.start() if detail else None]
    # A list item may be about one of several modes of the tool: it needs the line above the list.
    paragraphs = [part for part in PART.split(prose) if not MARK.match(part.strip())]
    for position, sentence in enumerate(_sentences(paragraphs)):
        if sentence.endswith(":"):
            continue
        other = sibling.search(sentence)
        if other and other["name"] != name and _CONDITION.search(sentence):
            yield 0, position, sentence
        elif when := _WHEN.match(sentence):
            yield 1, position, when["said"]


def _sibling(names: Iterable[str]) -> re.Pattern[str]:
    """A pattern that finds the tool with which a sentence contrasts its own: "unlike NAME", "use NAME instead"."""
    either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    before = r"\b(?:unlike|instead of|rather than|(?P<use>use|call|prefer)) (?:the )?[`'\"]*"
    return re.compile(rf"{before}(?P<name>{either})(?!\w)(?(use).{{0,300}}\binstead\b)", re.IGNORECASE)


def _joined(first: str, second: str, longest: int) -> str | None:
    """Both sentences, the first cut at the end of a clause if that makes room; ``None`` if there is not enough room."""
    clauses = (first[: end.start()] for end in _CLAUSE_END.finditer(first) if end.start() >= _LEAST)
    whole = [f"{clause}…" for clause in clauses if clause.count("(") == clause.count(")")]
    for beginning in (first, *reversed(whole)):
        end = beginning.rstrip("\"')]*")[-1:]
        gap = "" if end in "。！？।" else " " if end in ".!?…" else ". "
        if len(joined := f"{beginning}{gap}{second}") <= min(LONGEST, longest):
            return joined
    return None


def _told_apart(texts: Mapping[str, str], made: Mapping[str, str], details: Details) -> Iterator[tuple[str, str]]:
    """New summaries of tools that share one, each with the first sentence that only this tool's description has."""
    said = {name: [*filter(None, map(details.before, _without_details(text)))] for name, text in texts.items()}
    for name, own in said.items():
        others = {sentence for other, sentences in said.items() if other != name for sentence in sentences}
        apart = (_joined(own[0], one, len(texts[name])) for one in own[1:] if one not in others)
        yield name, next(filter(None, apart), made[name])


def _without_details(description: str) -> Iterator[str]:
    parts = (part for part in PART.split(description.strip()) if not _IS_DETAIL.match(part))
    return (_RETURNS.sub("", sentence) for sentence in _sentences(parts))
