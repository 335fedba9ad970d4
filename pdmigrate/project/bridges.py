"""The name of each server's bridge: the tool that returns full descriptions.

It is fixed when a server is migrated, and kept in ``_server.json``: hosts list it in permissions and allow-lists, and
every process of a server must list the same one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from pdmigrate.describe.homes import is_generated
from pdmigrate.generated.render import bridge_names, former_bridge_name
from pdmigrate.project.model import Project
from pdmigrate.tree.documents import DocumentError, json_or_none, read_toml


def bridges(project: Project) -> tuple[str, ...]:
    """The bridges of a project's servers, in order: each unlike the others, and no word of the project's code.

    So a tool of that name keeps it, also one that is listed only while the server runs.
    A server that was migrated keeps the name that its ``_server.json`` has; where an earlier version wrote no name
    there, and made it of the server's when it started, it keeps that one.
    """
    result: list[str] = []
    for server, home in zip(project.inventory.servers, project.homes, strict=True):
        known = json_or_none(project.files.get(home.server_file, b""))
        kept = known.get("bridge") if isinstance(known, dict) else None
        if isinstance(kept, str) and kept:
            result.append(kept)
        elif isinstance(known, dict) and (former := former_bridge_name(server.name or "")):
            result.append(former)
        else:
            place = PurePosixPath(home.label or server.site.file).stem
            others = (*_project_names(project), place)
            names = bridge_names(server.name or "", *others)
            result.append(next(name for name in names if name not in result and not _occurs(project, name)))
    return tuple(result)


def _occurs(project: Project, name: str) -> bool:
    files = project.files.items()
    sources = (raw for path, raw in files if path.endswith(".py") and not is_generated(path, raw))
    return any(name.encode() in raw for raw in sources)


def _project_names(project: Project) -> Iterator[str]:
    try:
        content = read_toml(project.files.get("pyproject.toml", b""))
    except DocumentError:
        content = {}
    tool = content.get("tool")
    for table in (content.get("project"), tool.get("poetry") if isinstance(tool, dict) else None):
        name = table.get("name") if isinstance(table, dict) else None
        if isinstance(name, str):
            yield name
    yield project.root.name
