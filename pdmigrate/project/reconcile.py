"""Merge source and description files: each tool's definition, wherever it lives."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from pdmigrate.describe import descriptions
from pdmigrate.describe.descriptions import DescriptionFile
from pdmigrate.describe.lifting import lifted
from pdmigrate.findings import finding
from pdmigrate.model import (
    DISCLOSED_FIELDS,
    Field,
    Finding,
    Fixed,
    Inventory,
    JsonObject,
    Known,
    Server,
    Site,
    Step,
    Tool,
    Unknown,
    is_same,
)
from pdmigrate.project.model import Project
from pdmigrate.record import lock
from pdmigrate.record.lock import Written


def one_per_name(server: Server) -> Server:
    """The server with declarations of the same name merged into a tool that claims only what they agree on."""
    groups: dict[str, list[Tool]] = defaultdict(list)
    for position, tool in enumerate(server.tools):
        groups[tool.name or f"\0{position}"].append(tool)
    return replace(server, tools=tuple(map(_merged, groups.values())))


def _merged(group: list[Tool]) -> Tool:
    first = group[0]
    if len(group) == 1:
        return first
    places = ", ".join(str(tool.site) for tool in group)
    differs = Unknown(f"declared differently at {places}", "PD515", site=first.site)
    fields: dict[str, Field] = {}
    for key in {key: None for tool in group for key in tool.fields}:
        given = [tool.fields.get(key) for tool in group]
        one = given[0]
        fields[key] = one if one is not None and all(is_same(one, item) for item in given) else differs
    conditions = [tool.conditional for tool in group if tool.conditional is not None]
    return replace(
        first,
        fields=fields,
        declaration=Fixed(f"declared more than once: {places}", "PD515", first.site),
        conditional="; or ".join(dict.fromkeys(conditions)) if len(conditions) == len(group) else None,
        optional=all(tool.optional for tool in group),
    )


def reconciled(project: Project) -> Inventory:
    """The project's inventory with every tool reconciled, and the findings about files that cannot be used."""
    servers: list[Server] = []
    findings: list[Finding] = []
    written = lock.read(project.files).written
    for server, home in zip(project.inventory.servers, project.homes, strict=True):
        files, problems = project.descriptions(home)
        findings += problems
        tools: list[Tool] = []
        for tool in reconcile(server, files).tools:
            path = None if tool.name in files else lost_file(tool, home.folder, written)
            findings += [gone(tool, path)] if path and path not in project.files else []
            lost = Unknown(
                f"its definition was moved to {path}, which is gone or cannot be read", "PD517", site=tool.site
            )
            tools.append(
                replace(tool, fields={**tool.fields, **dict.fromkeys(DISCLOSED_FIELDS, lost)}) if path else tool
            )
        servers.append(replace(server, tools=tuple(tools)))
    return replace(project.inventory, servers=tuple(servers), findings=(*project.inventory.findings, *findings))


def lost_file(tool: Tool, folder: str, written: Mapping[str, Written]) -> str | None:
    """The file to which the tool's definition moved, if there is none to be read: the code holds only a stub then."""
    here = (path for path, past in written.items() if past.tool == tool.name and path.rpartition("/")[0] == folder)
    moved = ((path, written[path].moved) for path in here)
    return next((path for path, was in moved if was and not descriptions.is_as_moved(tool.definition, was)), None)


def gone(tool: Tool, path: str) -> Finding:
    message = f'{path} is gone, and it held the only copy of the definition of "{tool.name}"'
    return finding("PD517", message, site=tool.site, tool=tool.name)


def reconcile(server: Server, files: Mapping[str, DescriptionFile]) -> Server:
    """The server with every tool as the wire shows it before disclosure.

    The code of a file-owned tool holds only a stub: ``description`` and ``inputSchema`` come from the tool's file, and
    a field that the file lacks is not sent.  Everything else comes from the code.
    """
    return replace(server, tools=tuple(_reconciled(tool, files.get(tool.name or "")) for tool in server.tools))


def words(tool: Tool) -> JsonObject:
    """The guidance that a fetch of the tool adds to its definition: from its file, or as a migration would lift it."""
    said = lifted(tool.definition, tool.doc) if tool.words is None else tool.words
    return {key: said[key] for key in descriptions.WORDS if said.get(key)}


def _reconciled(tool: Tool, file: DescriptionFile | None) -> Tool:
    if file is None:
        return tool
    tool = replace(tool, words={key: file.data[key] for key in descriptions.WORDS if key in file.data})
    if file.owner != "file":
        return tool
    fields: dict[str, Field] = {key: value for key, value in tool.fields.items() if key not in DISCLOSED_FIELDS}
    for key in DISCLOSED_FIELDS:
        if key in file.data:
            fields[key] = Known(file.data[key], (Step("owned by its description file", Site(file.path, 1)),))
    return replace(tool, fields=fields, owner="file")
