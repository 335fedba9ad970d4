"""Findings as people read them, one line each that editors and terminals can jump from, without those to ignore.

The setting ``ignore`` hides only the message: a tool that cannot be migrated is still not migrated, and still counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partialmethod

from pdmigrate import escaping
from pdmigrate.counting import joined, plural
from pdmigrate.escaping import one_line
from pdmigrate.model import Finding, Inventory, Plan, Severity

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


def added(bridge: int, guidance: int) -> str:
    """What of a listing a migration adds: ``including 101 for the describe_tools tool``; empty if it adds nothing."""
    parts = ((bridge, "the describe_tools tool"), (guidance, "added instructions"))
    told = joined([f"{tokens:,} for {what}" for tokens, what in parts if tokens])
    return f"including {told}" if told else ""


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
    return style.good(line) if line.startswith("+") else style.bad(line) if line.startswith("-") else line


MANY = 3
"""So many findings that differ in the tool alone are shown one by one."""


def _alike(findings: list[Finding]) -> Iterator[list[Finding]]:
    """The findings, those of one file that say the same of several tools side by side, or together if too many."""
    groups: dict[object, list[Finding]] = {}
    for number, found in enumerate(findings):
        groups.setdefault(_about(found) or number, []).append(found)
    for group in groups.values():
        yield from [group] if len(group) > MANY else ([found] for found in group)


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


def tally(findings: Iterable[Finding]) -> str:
    """``2 errors, 1 warning``; empty when there is nothing to count."""
    every = set(findings)
    counts = [(sum(found.severity is severity for found in every), severity.value) for severity in Severity]
    return ", ".join(plural(count, word) for count, word in counts if count)


def in_plan(plan: Plan, ignore: Collection[str]) -> Plan:
    """``plan`` with its findings in order of place, without those to ``ignore``."""
    return replace(plan, findings=tuple(sorted(_without(plan.findings, ignore), key=place)))


def in_inventory(inventory: Inventory, ignore: Collection[str]) -> Inventory:
    """``inventory`` without the findings to ``ignore``."""
    servers = tuple(
        replace(server, tools=tuple(replace(tool, findings=_without(tool.findings, ignore)) for tool in server.tools))
        for server in inventory.servers
    )
    return replace(inventory, servers=servers, findings=_without(inventory.findings, ignore))


def _without(findings: Iterable[Finding], ignore: Collection[str]) -> tuple[Finding, ...]:
    return tuple(found for found in dict.fromkeys(findings) if found.code not in ignore)


def place(found: Finding) -> tuple[str, int, str, str]:
    """The order in which findings are shown: by file and line, those without a place first."""
    return (found.site.file if found.site else "", found.site.line if found.site else 0, found.code, found.message)
