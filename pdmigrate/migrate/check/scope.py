"""Which servers of a project are kept in agreement, and which of them a change can affect."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from pdmigrate.describe.homes import Home
from pdmigrate.model import Server
from pdmigrate.names import STATE
from pdmigrate.project.model import Project, restricted
from pdmigrate.record.lock import Lock
from pdmigrate.record.undo import BUILD_FILES


@dataclass(frozen=True, slots=True)
class Parts:
    """Servers that were migrated, that are only described, both, and (``strayed``) enabled ones that the lock lacks."""

    migrated: Project
    described: Project
    both: Project
    strayed: Project

    @property
    def tools(self) -> int:
        """How many tools are kept in agreement."""
        return sum(len({tool.name for tool in server.tools}) for server in self.both.inventory.servers)

    @property
    def partly(self) -> int:
        """The number of these tools for which source does not settle every field."""
        servers = self.both.inventory.servers
        return sum(len({tool.name for tool in server.tools if not tool.exact}) for server in servers)


def parts(project: Project, remembered: Lock, only: Collection[str]) -> Parts:
    """The servers that the lock knows, in parts; with ``only``, just those that a change of these paths can affect."""

    folders = tuple(path for path in only if path.endswith("/"))
    described = {PurePosixPath(path).parent.as_posix() for path in remembered.written}

    def affected(server: Server, home: Home) -> bool:
        # A deleted file is no longer listed, but its folder is known.
        deleted = any(path.startswith(f"{home.folder}/") for path in only)
        return deleted or any(path in only or path.startswith(folders) for path in _paths_of(server, home, project))

    def migrated(server: Server, home: Home) -> bool:
        return is_migrated(server, home, remembered)

    near = restricted(project, affected) if only else project
    both = restricted(near, lambda server, home: migrated(server, home) or home.folder in described)
    return Parts(
        migrated=restricted(near, migrated),
        described=restricted(both, lambda server, home: not migrated(server, home)),
        both=both,
        strayed=restricted(near, lambda server, home: server.is_enabled and not migrated(server, home)),
    )


def is_migrated(server: Server, home: Home, remembered: Lock) -> bool:
    """Whether a server, which may share its module, has been migrated, even if the call that enabled it is gone."""
    return home.server_file in remembered.state.created or (home.module in remembered.modules and server.is_enabled)


def _paths_of(server: Server, home: Home, project: Project) -> Iterator[str]:
    """Which sources a tool depends on is not known tool by tool, so every source counts for every server."""
    yield from (server.site.file, home.module, *project.described(home), *project.inventory.sources)
    near = (f"{STATE}/", f"{home.folder}/")
    yield from (path for path in project.files if path.startswith(near) or path.rpartition("/")[2] in BUILD_FILES)
