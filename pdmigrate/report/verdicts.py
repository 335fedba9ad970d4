"""Whether a migration pays, shown above the patch that carries it out."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from pdmigrate.audit.leaving import Judged
from pdmigrate.counting import plural
from pdmigrate.escaping import name, one_line, place
from pdmigrate.model import JsonValue
from pdmigrate.report.audit import WORDS


def verdicts_text(found: Sequence[Judged]) -> str:
    """One verdict for each server, then the servers and tools left out, in lines of at most 80 columns."""
    lines: list[str] = []
    for one in found:
        whose = f"{name(one.audit.catalogue.name)}: " if len(found) > 1 else "verdict: "
        told = f"{whose}{WORDS[one.verdict.word]}: {one_line(one.verdict.reason)}"
        lines += wrap(told, 80, subsequent_indent="  ")
        if one.excluded_tools:
            tools = [f"{name(tool.name)} ({tool.now:,} -> {tool.after:,})" for tool in one.excluded_tools]
            lines += _left_out("tool", tools)
    if left := [f"{name(one.audit.catalogue.name)} ({place(one.server.site)})" for one in found if one.excluded]:
        lines += _left_out("server", left)
    return "\n".join(lines)


def _left_out(what: str, names: Sequence[str]) -> list[str]:
    told = f"left out: {plural(len(names), what)}; --all takes {'them' if names[1:] else 'it'}: {', '.join(names)}"
    return wrap(told, 80, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def verdicts_json(found: Sequence[Judged]) -> list[JsonValue]:
    """The verdicts, for scripts."""
    return [
        {
            "name": one.audit.catalogue.name,
            "file": one.server.site.file,
            "verdict": one.verdict.word,
            "reason": one.verdict.reason,
            "left_out": one.excluded,
            "tools_left_out": [tool.name for tool in one.excluded_tools],
        }
        for one in found
    ]
