"""Conflicts: the three states that a person has to decide between, and the decision carried out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from pdmigrate.describe.descriptions import digest
from pdmigrate.migrate.check.differences import value_difference
from pdmigrate.migrate.check.renaming import tool_named
from pdmigrate.migrate.plan.projections import Conflict, conflict_of, settled
from pdmigrate.model import Finding, JsonValue
from pdmigrate.names import LOCK_PATH
from pdmigrate.project.model import Project
from pdmigrate.record import lock
from pdmigrate.record.lock import Lock
from pdmigrate.settings import Settings

Earlier = Callable[[str, str, str], "JsonValue | None"]
"""Finds a field's value in earlier versions of a description file; its arguments: the path, the field, a digest."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """A conflict, and the path of its description file."""

    path: str
    conflict: Conflict


def conflicts(project: Project, remembered: Lock, settings: Settings) -> Iterator[Dispute]:
    """The first conflict, if any, of every tool that has a description file."""
    for server, home in zip(project.inventory.servers, project.homes, strict=True):
        for name, file in project.descriptions(home)[0].items():
            tool = tool_named(server, name)
            conflict = conflict_of(tool, file, remembered.written.get(file.path), settings) if tool else None
            if conflict is not None:
                yield Dispute(file.path, conflict)


def with_settled(project: Project, remembered: Lock, settings: Settings, side: str) -> tuple[Project, Lock]:
    """The project and its lock with every conflict decided for ``side``, except conflicts that have no such decision.

    A decision records the losing side's value as written last, so that planning sees one edit instead of two.
    """
    refused: set[str] = set()
    # A tool may have several conflicts, each of which shows only when the previous conflict is settled.
    for _ in range(20):
        found = [one for one in conflicts(project, remembered, settings) if one.path not in refused]
        if not found:
            break
        written = dict(remembered.written)
        for one in found:
            entry = settled(written.get(one.path), one.conflict, side)
            if entry is None:
                refused.add(one.path)
            else:
                written[one.path] = entry
        remembered = replace(remembered, written=written)
        project = replace(project, files={**project.files, LOCK_PATH: lock.dump(remembered)})
    return project, remembered


def explained(findings: Iterable[Finding], disputes: Iterable[Dispute], earlier: Earlier) -> Iterator[Finding]:
    """The ``findings``; those about conflicts get the three states as detail and the ways out as hint."""
    known = {
        (dispute.conflict.finding.code, dispute.conflict.finding.tool, dispute.conflict.field): dispute
        for dispute in disputes
    }
    by_finding = {dispute.conflict.finding: dispute for dispute in known.values()}
    for found in findings:
        dispute = by_finding.get(found)
        yield replace(found, detail=_three_ways(dispute, earlier), hint=_ways_out(dispute)) if dispute else found


def _three_ways(dispute: Dispute, earlier: Earlier) -> str:
    conflict = dispute.conflict
    if conflict.base is not None and matches(conflict.in_file, conflict.base):
        return f"last written (-) and the code (+)\n{value_difference(conflict.in_file, conflict.in_code)}"
    if conflict.base is not None and matches(conflict.in_code, conflict.base):
        return f"last written (-) and {dispute.path} (+)\n{value_difference(conflict.in_code, conflict.in_file)}"
    base = earlier(dispute.path, conflict.field, conflict.base) if conflict.base is not None else None
    if base is None:
        difference = value_difference(conflict.in_file, conflict.in_code)
        return f"{dispute.path} (-) and the code (+); what was last written is in no commit\n{difference}"
    sides = (("the code", conflict.in_code), (dispute.path, conflict.in_file))
    return "\n".join(
        f"last written (-) and {side} (+)\n{value_difference(base, now)}" for side, now in sides if now != base
    )


def _ways_out(dispute: Dispute) -> str:
    found = dispute.conflict.finding
    if found.code == "PD512":
        return "make the two alike, or take that of the file (`pdmigrate sync --ours`) or of the code (`--theirs`)"
    return f"{found.hint}; or drop that edit with `pdmigrate sync --ours`"


def matches(value: JsonValue, wanted: str) -> bool:
    """Whether ``wanted`` is the digest of ``value``."""
    return digest(value) == wanted
