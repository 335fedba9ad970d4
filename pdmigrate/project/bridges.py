"""The name of each server's bridge: the tool that returns full descriptions.

It is fixed when a server is migrated, and kept in ``_server.json``: hosts list it in permissions and allow-lists, and
every process of a server must list the same one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from pdmigrate.describe.homes import Home
from pdmigrate.findings import finding
from pdmigrate.model import Finding, Fixed, Server, Site
from pdmigrate.names import is_generated
from pdmigrate.project.model import Project
from pdmigrate.runtime.render import bridge_names, former_bridge_name
from pdmigrate.source.documents import DocumentError, json_or_none, read_toml

_WRITTEN = re.compile(rb"^BRIDGE = [\"'](\w+)[\"']$", re.MULTILINE)
"""The line of the modules that were made for one server each, the first ones."""


class _Default(NamedTuple):
    """The name of a server of this type that is given none."""

    type: str
    name: str


_UNNAMED = {"mcp1-fastmcp": _Default("FastMCP", "FastMCP"), "mcp2-mcpserver": _Default("MCPServer", "mcp-server")}
"""By dialect; fastmcp makes a name up whenever the server starts."""


def bridges(project: Project) -> tuple[str, ...]:
    """The bridges of a project's servers, in order: each unlike the others, and no word of the project's code.

    So a tool of that name keeps it, also one that is listed only while the server runs.
    A server that was migrated keeps the name that its ``_server.json`` has, or that an earlier version gave its bridge.
    """
    result: list[str] = []
    kept = [_written(project, home) or _former(project, server, home) for server, home in _servers(project)]
    for (server, home), name in zip(_servers(project), kept, strict=True):
        result.append(name or _new(project, server, home, {*kept, *result}))
    return tuple(result)


def renamings(project: Project) -> Iterator[Finding]:
    """A note for each bridge that an earlier version named, in the run that writes its name down.

    It says how the bridge can be renamed, or that its earlier name is not known.
    """
    for (server, home), name in zip(_servers(project), bridges(project), strict=True):
        if _written(project, home) or not _is_migrated(project, home):
            continue
        site, place = Site(home.server_file, 1), f"`bridge` in {home.server_file}"
        if _former(project, server, home) is None:
            message = f"source does not settle what an earlier version called the bridge; it is {name} from now on"
            hint = f"if hosts allow the tool by its earlier name, write that as {place}, then run `pdmigrate sync`"
            yield finding("PD547", message, hint=hint, site=site)
        elif name != (best := _new(project, server, home, set())):
            message = f"the bridge keeps the name {name} of an earlier version; a new one would be called {best}"
            yield finding("PD547", message, hint=f"to rename it, edit {place}, then run `pdmigrate sync`", site=site)


def _servers(project: Project) -> Iterator[tuple[Server, Home]]:
    return zip(project.inventory.servers, project.homes, strict=True)


def _written(project: Project, home: Home) -> str | None:
    """The name that is written down."""
    known = json_or_none(project.files.get(home.server_file, b""))
    name = known.get("bridge") if isinstance(known, dict) else None
    return name if isinstance(name, str) and name else None


def _former(project: Project, server: Server, home: Home) -> str | None:
    """The name that an earlier version gave the bridge, if there was one and source settles it."""
    for raw in _modules(project, home):
        if found := _WRITTEN.search(raw):
            return found[1].decode()
    name = server.name
    if name is None and (default := _UNNAMED.get(server.dialect)) and _is_unnamed(project, server, default.type):
        name = default.name
    return former_bridge_name(name) if name is not None and _is_migrated(project, home) else None


def _is_unnamed(project: Project, server: Server, type_: str) -> bool:
    """Whether the server is made by a call of the SDK's own type without a name."""
    if isinstance(server.anchor, Fixed):
        return False
    span = server.anchor.span
    made = getattr(ast.parse(project.source(span.file).text[span.start : span.end].strip()).body[0], "value", None)
    if not isinstance(made, ast.Call) or ast.unparse(made.func).rpartition(".")[2] != type_:
        return False
    return not made.args and all(each.arg not in (None, "name") for each in made.keywords)


def _is_migrated(project: Project, home: Home) -> bool:
    is_described = isinstance(json_or_none(project.files.get(home.server_file, b"")), dict)
    return is_described or any(map(_WRITTEN.search, _modules(project, home)))


def _modules(project: Project, home: Home) -> Iterator[bytes]:
    files = ((path, project.files.get(path, b"")) for path in reversed(home.modules))
    return (raw for path, raw in files if is_generated(path, raw))


def _new(project: Project, server: Server, home: Home, taken: set[str | None]) -> str:
    """The name that a server's bridge is given when it is migrated."""
    place = PurePosixPath(home.label or server.site.file).stem
    names = bridge_names(server.name or "", *_project_names(project), place)
    return next(name for name in names if name not in taken and not _occurs(project, name))


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
