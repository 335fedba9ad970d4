"""The sentences of a description; the first says what a tool does.

A description is whatever people write: paragraphs, lists, headings, docstrings with sections.  A doubtful full stop
does not end a sentence: a summary that is too long is better than half a sentence.
"""

from __future__ import annotations

import re
from functools import lru_cache

PART = re.compile(r"(?m)\n\s*\n|\n(?=\s*(?:[-*•#]|\d+[.)]\s|```|\w[\w ]{0,30}:\s*$))")
MARK = re.compile(r"^(?:(?:[-*•#]+|\d+[.)])\s+)+")
SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!\.\.)(?<!\b[A-Z]\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\betc\.)"
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
