"""Findings that the user does not want to see, by the setting ``ignore``.

It hides only the message: a tool that cannot be migrated is still not migrated, and still counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from pdmigrate.model import Finding, Inventory, Plan


def in_plan(plan: Plan, ignore: Collection[str]) -> tuple[Plan, int]:
    """``plan`` with its findings in order of place, without those to ``ignore``, and how many these are."""
    kept, hidden = _without(plan.findings, ignore)
    return replace(plan, findings=tuple(sorted(kept, key=place))), hidden


def in_inventory(inventory: Inventory, ignore: Collection[str]) -> tuple[Inventory, int]:
    """``inventory`` without the findings to ``ignore``, and how many these are."""
    _, hidden = _without(inventory.all_findings(), ignore)
    servers = tuple(
        replace(
            server, tools=tuple(replace(tool, findings=_without(tool.findings, ignore)[0]) for tool in server.tools)
        )
        for server in inventory.servers
    )
    return replace(inventory, servers=servers, findings=_without(inventory.findings, ignore)[0]), hidden


def _without(findings: Iterable[Finding], ignore: Collection[str]) -> tuple[tuple[Finding, ...], int]:
    said = tuple(dict.fromkeys(findings))
    kept = tuple(found for found in said if found.code not in ignore)
    return kept, len(said) - len(kept)


def place(found: Finding) -> tuple[str, int, str, str]:
    """The order in which findings are shown: by file and line, those without a place first."""
    return (found.site.file if found.site else "", found.site.line if found.site else 0, found.code, found.message)
