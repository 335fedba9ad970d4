"""The name of each server's bridge: the tool that returns full descriptions.

It is fixed when a server is migrated, and kept in ``_server.json``: hosts list it in permissions and allow-lists, and
every process of a server must list the same one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from pdmigrate.describe.homes import Home
from pdmigrate.model import mapping
from pdmigrate.names import is_generated
from pdmigrate.project.model import Project
from pdmigrate.runtime.render import bridge_names
from pdmigrate.source.documents import json_or_none, toml_or_empty


def bridges(project: Project) -> tuple[str, ...]:
    """The servers' bridges, in order, from ``_server.json`` or new, and then no word of the project's code."""
    result: list[str] = []
    kept = [_written(project, home) for home in project.homes]
    sources = [raw for path, raw in project.files.items() if path.endswith(".py") and not is_generated(path, raw)]
    for server, home, name in zip(project.inventory.servers, project.homes, kept, strict=True):
        place = PurePosixPath(home.label or server.site.file).stem
        names = bridge_names(server.name or "", *_project_names(project), place)
        free = (one for one in names if one not in {*kept, *result} and not any(one.encode() in raw for raw in sources))
        result.append(name or next(free))
    return tuple(result)


def _written(project: Project, home: Home) -> str | None:
    name = mapping(json_or_none(project.files.get(home.server_file, b""))).get("bridge")
    return name if isinstance(name, str) and name else None


def _project_names(project: Project) -> Iterator[str]:
    content = toml_or_empty(project.files.get("pyproject.toml", b""))
    for table in (content.get("project"), mapping(content.get("tool")).get("poetry")):
        if isinstance(name := mapping(table).get("name"), str):
            yield name
    yield project.root.name
