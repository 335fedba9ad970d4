"""The sentences of a description, and the first of them, which says what a tool does.

A description is whatever people write: paragraphs, lists, headings, docstrings with sections.  Where it is doubtful
whether a full stop ends a sentence, it does not: too much is better than half of it.  What stands between the markers
is also part of every generated module, for tools that are known only at run time, in lines of at most 88 characters.
"""

from __future__ import annotations

# --- shared with the generated module: begin ---
import re

PART = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*•#]|\d+[.)]\s|```|\w[\w ]{0,30}:\s*$))", re.M)
MARK = re.compile(r"^(?:(?:[-*•#]+|\d+[.)])\s+)+")
SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!\.\.)(?<!\b[A-Z]\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\betc\.)"
    r"(?<!\bincl\.)(?<!\bapprox\.)\s+|(?<=[。！？।])"
    r"|(?:(?<=[.!?…][\"')\]])|(?<=[.!?]\*\*))\s+(?![a-z—–-])"
)


def sentences(part: str) -> list[str]:
    """The sentences of a paragraph or a list item, in one line each."""
    text = MARK.sub("", " ".join(part.split()))
    return [text for text in SENTENCE_END.split(text) if re.search(r"\w", text)]


def shortened(sentence: str, room: int = 200) -> str:
    """A sentence that is longer than ``room`` is cut between words."""
    if len(sentence) <= room:
        return sentence
    kept = sentence[: room - 1]
    kept = kept.rsplit(" ", 1)[0] if " " in kept[room // 2 :] else kept
    return kept.rstrip(" ,;:(-") + "…"


def summarise(description: str | None) -> str | None:
    """The first sentence of a description; one without any stays as it is."""
    parts = map(sentences, PART.split((description or "").strip()))
    return next((shortened(part[0]) for part in parts if part), description)


# --- shared with the generated module: end ---
