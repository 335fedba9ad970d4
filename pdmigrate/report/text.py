"""Findings as people read them, one line each that editors and terminals can jump from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partialmethod

from pdmigrate import escaping
from pdmigrate.counting import plural
from pdmigrate.escaping import one_line
from pdmigrate.model import Finding, Severity
from pdmigrate.report.suppress import place

_SEVERITIES = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


@dataclass(frozen=True, slots=True)
class Colours:
    """Wraps text in colour when ``colour`` is on; otherwise returns it unchanged."""

    colour: bool = False

    def _wrap(self, name: str, text: str) -> str:
        return escaping.coloured(name, text) if self.colour else text

    bold = partialmethod(_wrap, "bold")
    dim = partialmethod(_wrap, "dim")
    good = partialmethod(_wrap, "green")
    bad = partialmethod(_wrap, "red")

    def severity(self, severity: Severity, text: str) -> str:
        return self._wrap(_SEVERITIES[severity], text)


PLAIN = Colours()


def findings_text(findings: Iterable[Finding], style: Colours = PLAIN) -> str:
    """``path:line: PD305 warning: message``, what differs and the hint; by place, each once.

    A hint is not repeated below the next finding.  What is said alike of many tools is said of the first, and the
    others are named.
    """
    lines: list[str] = []
    said = ""
    for found, *others in _alike(sorted(set(findings), key=place)):
        lines.append(headline(found, style))
        if others:
            names = ", ".join(escaping.name(one.tool or "") for one in others)
            lines.append(f"  the same of {len(others)} more: {names}")
        lines += [f"      {_coloured(line, style)}" for line in found.detail.splitlines()]
        hint = f"{found.code} {found.hint}"
        if found.hint and hint != said:
            lines.append(f"  hint: {found.hint}")
        said = hint
    return "\n".join(lines)


def _coloured(line: str, style: Colours) -> str:
    if line.startswith("+"):
        return style.good(line)
    return style.bad(line) if line.startswith("-") else line


MANY = 3
"""So many findings that differ in the tool alone are shown one by one."""


def _alike(findings: list[Finding]) -> Iterator[list[Finding]]:
    """The findings in order, together those of one file that say the same of more than ``MANY`` tools."""
    groups: dict[object, list[Finding]] = {}
    keys = [_about(found) or number for number, found in enumerate(findings)]
    for key, found in zip(keys, findings, strict=True):
        groups.setdefault(key, []).append(found)
    for key, found in zip(keys, findings, strict=True):
        if len(groups[key]) <= MANY:
            yield [found]
        elif found is groups[key][0]:
            yield groups[key]


def _about(found: Finding) -> tuple[str, ...]:
    """What a finding about a tool says, whichever tool it is; empty for any other finding."""
    if not found.tool:
        return ()
    said = (found.message, found.detail, found.hint)
    return found.code, *(text.replace(found.tool, "\0") for text in said), found.site.file if found.site else ""


def headline(found: Finding, style: Colours = PLAIN) -> str:
    """``path:line: PD305 warning: message`` in one line."""
    where = f"{style.bold(escaping.place(found.site))}: " if found.site else ""
    tool = f"tool {escaping.name(found.tool)}: " if found.tool and found.tool not in found.message else ""
    kind = style.severity(found.severity, f"{found.code} {found.severity.value}")
    return f"{where}{kind}: {tool}{one_line(found.message)}"


def tally(findings: Iterable[Finding], hidden: int = 0) -> str:
    """``2 errors, 1 warning (3 suppressed)``; empty when there is nothing to count."""
    every = set(findings)
    counts = [(sum(found.severity is severity for found in every), severity.value) for severity in Severity]
    text = ", ".join(plural(count, word) for count, word in counts if count)
    suppressed = f"({hidden} suppressed)" if hidden else ""
    return " ".join(part for part in (text or ("no findings" if hidden else ""), suppressed) if part)
