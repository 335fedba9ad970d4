"""Which servers of a project are left out of a migration because it costs more there than it saves."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pdmigrate.audit.catalogue import from_server
from pdmigrate.audit.economics import Audit, audited
from pdmigrate.audit.verdict import Verdict, decide
from pdmigrate.config import Settings
from pdmigrate.model import Fixed, Server
from pdmigrate.project import Project
from pdmigrate.tokens import Counter


@dataclass(frozen=True, slots=True)
class Judged:
    """A server that is not migrated yet, what a migration of it comes to, and whether it is ``left`` out."""

    server: Server
    audit: Audit
    verdict: Verdict
    left: bool = False


def judged(project: Project, settings: Settings, counter: Counter) -> tuple[Judged, ...]:
    """The servers of ``project`` that are not migrated and whose tools source settles, each with its verdict.

    What source does not settle may weigh anything: a server with such a tool is not judged.
    """
    found = []
    for server in project.inventory.servers:
        catalogue = from_server(server)
        if is_migrated(server) or catalogue.uncounted or catalogue.incomplete or not catalogue.tools:
            continue
        audit = audited(catalogue, counter, kind=settings.stub_schema, bridge=settings.bridge)
        found.append(Judged(server, audit, decide(audit)))
    return tuple(found)


def without_losing(project: Project, found: tuple[Judged, ...]) -> tuple[Project, tuple[Judged, ...]]:
    """``project`` without the servers that lose by it, and ``found`` with these marked.

    A server that is alone is never left out: somebody asked for it.
    """
    if len(project.inventory.servers) < 2:
        return project, found
    marked = tuple(replace(one, left=one.verdict.word == "not-worth-it") for one in found)
    losing = {one.server.site for one in marked if one.left}
    pairs = list(zip(project.inventory.servers, project.homes, strict=True))
    kept = [(server, home) for server, home in pairs if server.site not in losing]
    left = [(server, home) for server, home in pairs if server.site in losing]
    return replace(
        project,
        inventory=replace(project.inventory, servers=tuple(server for server, _ in kept)),
        homes=tuple(home for _, home in kept),
        others=(*project.others, *(server for server, _ in left)),
        other_homes=(*project.other_homes, *(home for _, home in left)),
    ), marked


def is_migrated(server: Server) -> bool:
    """Whether the code of a server enables progressive disclosure already."""
    return not isinstance(server.anchor, Fixed) and server.anchor.enabled is not None
