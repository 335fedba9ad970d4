"""What ``check --live`` compares besides the definitions that the witness puts into the project: the order of tools."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pdmigrate.findings import finding
from pdmigrate.live.asking import Witness
from pdmigrate.live.projects import witnessed
from pdmigrate.model import Finding, Server, Site
from pdmigrate.project.model import Project


def with_wire(project: Project, witness: Witness, among: Sequence[Site] = ()) -> Project:
    """The project as the running server shows it, with a finding if the server's order of tools is not that of source.

    Raises:
        OutsideError: it is unclear which of several servers was started (PD334).
    """
    after = witnessed(project, witness, among)
    pairs = zip(project.inventory.servers, after.inventory.servers, strict=True)
    found = [one for before, now in pairs if before != now for one in _order(before, witness)]
    return replace(after, inventory=replace(after.inventory, findings=(*after.inventory.findings, *found)))


def _order(server: Server, witness: Witness) -> Iterator[Finding]:
    listed = [name for tool in witness.tools if isinstance(name := tool.get("name"), str)]
    source = list(dict.fromkeys(tool.name for tool in server.tools if tool.name in listed))
    wire = [name for name in dict.fromkeys(listed) if name in source]
    if server.incomplete is None and source != wire:
        first = next(one for one, other in zip(wire, source, strict=True) if one != other)
        message = f"the running server lists its tools in another order than source: {', '.join(wire)}"
        yield finding("PD915", message, site=server.site, tool=first)
