"""Whether a migration pays, above the patch that carries it out."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from pdmigrate.audit.leaving import Judged
from pdmigrate.escaping import name, one_line, place
from pdmigrate.model import JsonValue
from pdmigrate.report.audit import WORDS
from pdmigrate.report.text import plural


def verdicts_text(found: Sequence[Judged]) -> str:
    """One verdict for each server, then what is left out; in lines of at most 80 columns."""
    lines: list[str] = []
    for one in found:
        whose = f"{name(one.audit.catalogue.name)}: " if len(found) > 1 else "verdict: "
        told = f"{whose}{WORDS[one.verdict.word]}: {one_line(one.verdict.reason)}"
        lines += wrap(told, 80, subsequent_indent="  ")
        if one.verdict.word == "some":
            without = [tool.name for tool in one.audit.tools if tool.name not in one.verdict.take]
            lines += wrap(f"not worth it: {', '.join(map(name, without))}; see --exclude", 80, subsequent_indent="  ")
    left = [f"{name(one.audit.catalogue.name)} ({place(one.server.site)})" for one in found if one.left]
    if left:
        told = f"left out: {plural(len(left), 'server')}; --all takes them: {', '.join(left)}"
        lines += wrap(told, 80, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def verdicts_json(found: Sequence[Judged]) -> list[JsonValue]:
    """The same for scripts."""
    return [
        {
            "name": one.audit.catalogue.name,
            "file": one.server.site.file,
            "verdict": one.verdict.word,
            "reason": one.verdict.reason,
            "left_out": one.left,
        }
        for one in found
    ]
