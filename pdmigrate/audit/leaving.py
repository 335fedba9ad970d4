"""Which servers of a project, and which of their tools, are left out because migrating them costs more
than it saves.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable
from dataclasses import dataclass, replace

from pdmigrate.audit.catalogue import from_server
from pdmigrate.audit.economics import Audit, ToolCost, audited
from pdmigrate.audit.tokens import Counter
from pdmigrate.audit.verdict import Verdict, decide
from pdmigrate.model import Server
from pdmigrate.project.model import Project, restricted
from pdmigrate.project.nearby import served_by_hand
from pdmigrate.project.reconcile import reconciled
from pdmigrate.record import lock
from pdmigrate.settings import Settings, is_selected


@dataclass(frozen=True, slots=True)
class Judged:
    """A server that is not migrated yet, the figures of a migration, and the verdict."""

    server: Server
    audit: Audit
    verdict: Verdict
    candidates: frozenset[str] = frozenset()
    """The names of the tools that the settings select."""
    excluded: bool = False
    """Whether the whole server is left out."""
    excluded_tools: tuple[ToolCost, ...] = ()
    """The tools that are left out of a server that is migrated."""


def judged(project: Project, settings: Settings, counter: Counter) -> tuple[Judged, ...]:
    """The servers of ``project`` that are not migrated and whose tools source settles, each with its verdict.

    A tool that source does not settle may have any size, so a server with such a tool is not judged; nor is a server
    that discloses its tools by hand, whose list is short already.  The verdict is on what the settings select of a
    server; one of which they select nothing gets none.
    """
    found = []
    remembered = lock.read(project.files)
    for server in reconciled(project).servers:
        if server.is_enabled or served_by_hand(project, server, remembered) is not None:
            continue
        catalogue = from_server(server)
        if catalogue.uncounted or catalogue.incomplete or not catalogue.tools:
            continue
        audit = audited(catalogue, counter, kind=settings.stub_schema, bridge=settings.bridge)
        candidates = frozenset(tool.name for tool in audit.tools if is_selected(tool.name, settings))
        if candidates:
            verdict = decide(audit, candidates=candidates, exactly=bool(settings.select))
            found.append(Judged(server, audit, verdict, candidates=candidates))
    return tuple(found)


def without_losing(project: Project, found: Iterable[Judged]) -> tuple[Project, tuple[Judged, ...]]:
    """``project`` without the servers that lose by a migration, and ``found`` with what is left out marked.

    The only server of a project is never left out: the user asked for it.
    """
    servers = project.inventory.servers
    marked = tuple(_marked(one, servers) for one in found)
    losing = {one.server.site for one in marked if one.excluded}
    return restricted(project, lambda server, _: server.site not in losing), marked


def _marked(one: Judged, servers: tuple[Server, ...]) -> Judged:
    if one.verdict.word == "not-worth-it":
        return replace(one, excluded=len(servers) > 1)
    if one.verdict.word != "some":
        return one
    # Tools are selected by name, so a tool whose name another server also has cannot be left out of one server alone.
    owners = collections.Counter(name for server in servers for name in {tool.name for tool in server.tools})
    losing = one.candidates - one.verdict.take
    left = (tool for tool in one.audit.tools if tool.name in losing and owners[tool.name] == 1)
    return replace(one, excluded_tools=tuple(left))
