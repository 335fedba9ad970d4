"""Findings as people read them, one line each that editors and terminals can jump from."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pdmigrate import escaping
from pdmigrate.counting import plural
from pdmigrate.model import Finding, Severity, Site
from pdmigrate.report.style import PLAIN, Colours
from pdmigrate.report.suppress import place

Excerpt = Callable[[Site], "str | None"]
"""Gives the source line at a site; ``None`` if it cannot be read."""


def findings_text(findings: Iterable[Finding], style: Colours = PLAIN, excerpt: Excerpt | None = None) -> str:
    """``path:line: PD305 warning: message`` and its hint, sorted by place; each finding once.

    ``excerpt`` adds the line of source; a hint is not repeated below the next finding.
    """
    lines: list[str] = []
    said = ""
    for found in sorted(set(findings), key=place):
        lines.append(headline(found, style))
        source = excerpt(found.site) if excerpt and found.site else None
        if source is not None and found.site:
            lines.append(style.dim(f"  {found.site.line:>5} | {escaping.one_line(source.strip()[:160])}"))
        hint = f"{found.code} {found.hint}"
        if found.hint and hint != said:
            lines.append(f"  hint: {found.hint}")
        said = hint
    return "\n".join(lines)


def headline(found: Finding, style: Colours = PLAIN) -> str:
    """``path:line: PD305 warning: message`` in one line."""
    where = f"{style.bold(escaping.place(found.site))}: " if found.site else ""
    tool = f"tool {escaping.name(found.tool)}: " if found.tool and found.tool not in found.message else ""
    kind = style.severity(found.severity, f"{found.code} {found.severity.value}")
    return f"{where}{kind}: {tool}{escaping.one_line(found.message)}"


def tally(findings: Iterable[Finding], hidden: int = 0) -> str:
    """``2 errors, 1 warning (3 suppressed)``; empty when there is nothing to count."""
    every = set(findings)
    counts = [(sum(found.severity is severity for found in every), severity.value) for severity in Severity]
    text = ", ".join(plural(count, word) for count, word in counts if count)
    suppressed = f"({hidden} suppressed)" if hidden else ""
    return " ".join(part for part in (text or ("no findings" if hidden else ""), suppressed) if part)
