"""The stage-1 text of a tool, made from its description: the first sentence, bounded.

Of a list it takes the first item, of a heading the text.  One function is the whole interface, so a better rule can
replace it.  The function between the markers also stands in every generated module, for tools that are known only at
run time, in lines of at most 88 characters.
"""

from __future__ import annotations

# --- shared with the generated module: begin ---
import re

_ABBREVIATION = r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\betc)(?<!\bincl)(?<!approx)"
_SENTENCE_END = re.compile(_ABBREVIATION + r"[.!?…]+[\"')\]]*(?=\s|$)|[。！？।]")
_MARK = re.compile(r"^(?:(?:[-*•#]+|\d+[.)])\s+)+")
_NEW_PART = re.compile(r"[-*•#]|\d+[.)]\s|\w[\w ]{0,30}:$")


def summarise(name: str, description: str | None, limit: int = 200) -> str:
    """The first sentence of a description, in one line; without one, the tool's name.

    A blank line, or a line that opens a list or a section (``Args:``), ends it too.
    """
    lines: list[str] = []
    for line in (description or "").strip().splitlines():
        text = line.strip()
        if lines and (not text or _NEW_PART.match(text)):
            break
        lines.append(text)
    text = _MARK.sub("", " ".join(" ".join(lines).split()))
    end = _SENTENCE_END.search(text)
    sentence = text[: end.end()] if end else text
    if len(sentence) > limit:
        cut = sentence[: limit - 1]
        cut = cut.rsplit(" ", 1)[0] if " " in cut[limit // 2 :] else cut
        sentence = cut.rstrip(" ,;:-") + "…"
    if re.search(r"\w", sentence):
        return sentence
    return name.replace("_", " ").replace("-", " ").strip() or name


# --- shared with the generated module: end ---
