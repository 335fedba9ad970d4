"""Decide by their content which tools are gone, new or renamed, before anything is planned."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from pdmigrate.describe import descriptions
from pdmigrate.describe.descriptions import DescriptionFile
from pdmigrate.describe.lines import KEY
from pdmigrate.migrate.plan.projections import stub
from pdmigrate.model import DISCLOSED_FIELDS, JsonObject, JsonValue, Server, Tool, mapping
from pdmigrate.names import LOCK_PATH
from pdmigrate.project.model import Project
from pdmigrate.record import lock
from pdmigrate.record.lock import Lock
from pdmigrate.settings import Settings
from pdmigrate.source.documents import json_or_none


@dataclass(frozen=True, slots=True)
class Renamed:
    """A renamed tool whose file is still under the former name; ``path`` is where the file goes."""

    file: DescriptionFile
    tool: Tool
    path: str


def moves(project: Project, settings: Settings) -> tuple[list[Renamed], list[DescriptionFile]]:
    """The description files whose tools were not found: those of renamed tools, and those of tools that are gone.

    Servers that may list more tools than source shows, or tools whose names it does not settle, are left out.
    """
    renamed: list[Renamed] = []
    gone: list[DescriptionFile] = []
    for server, home in zip(project.inventory.servers, project.homes, strict=True):
        files, _ = project.descriptions(home)
        named = {tool.name: tool for tool in server.tools if tool.name}
        if not server.is_settled:
            continue
        lost = [file for name, file in files.items() if name not in named]
        fresh = [name for name in named if name not in files]
        taken = {name: PurePosixPath(file.path).name for name, file in files.items() if name in named}
        pairs = [(file, name) for file in lost for name in fresh if _says_the_same(file, named[name], settings)]
        found = []
        for file, name in pairs:
            # Candidates that say the same are ambiguous.
            if sum(one is file for one, _ in pairs) == sum(one == name for _, one in pairs) == 1:
                path = f"{home.folder}/{descriptions.file_names([name], taken)[name]}"
                found.append(Renamed(file, named[name], path))
        renamed += found
        gone += [file for file in lost if all(file is not one.file for one in found)]
    return renamed, gone


def _says_the_same(file: DescriptionFile, tool: Tool, settings: Settings) -> bool:
    """Whether the code says of ``tool`` what ``file`` says, in full or, if the file owns the tool, as a stub."""
    code = _plain(descriptions.disclosed(tool.definition))
    if not code.get("description") or any(key in tool.unknown for key in DISCLOSED_FIELDS):
        return False
    theirs = descriptions.disclosed(file.data)
    if file.owner == "file" and code == _plain(stub(theirs, file.summary, settings)):
        return True
    return code == _plain(theirs)


def _plain(fields: Mapping[str, JsonValue]) -> JsonObject:
    """``fields`` without the titles of schemas, which SDKs derive from the tool's name."""
    return {
        key: {part: content for part, content in value.items() if part != "title"} if isinstance(value, dict) else value
        for key, value in fields.items()
    }


def with_renamed(project: Project, remembered: Lock, renamed: Iterable[Renamed]) -> tuple[Project, Lock]:
    """The project and its lock with every renamed tool's file under its new path and name."""
    files, lock_after = dict(project.files), remembered
    for one in renamed:
        del files[one.file.path]
        files[one.path] = descriptions.dump({**one.file.data, "name": one.tool.name})
        lock_after = _moved(lock_after, one.file.path, one.path, str(one.tool.name))
    return _with_files(project, files, lock_after), lock_after


def gone_with_server(project: Project, remembered: Lock) -> list[str]:
    """The generated files in the lock that are gone with their server: a person removed or moved them."""
    homes = {home.module for home in (*project.homes, *project.elsewhere.homes)}
    missing = (path for path in remembered.modules if path not in homes and path not in project.files)
    gone = [PurePosixPath(path).parent for path in missing]
    paths = (path for path in remembered.state.created if path not in project.files)
    return [path for path in paths if any(folder in PurePosixPath(path).parents for folder in gone)]


def without_lines(project: Project) -> Project:
    """The project without the summaries in ``_server.json`` of tools that are gone."""
    files = dict(project.files)
    for server, home in zip(project.inventory.servers, project.homes, strict=True):
        content = mapping(json_or_none(files.get(home.server_file, b"")))
        names = {tool.name for tool in server.tools}
        kept = {name: text for name, text in mapping(content.get(KEY)).items() if name in names}
        if server.is_settled and kept != mapping(content.get(KEY)):
            files[home.server_file] = (json.dumps({**content, KEY: kept}, indent=2, ensure_ascii=False) + "\n").encode()
    return replace(project, files=files)


def without(project: Project, remembered: Lock, paths: Iterable[str]) -> tuple[Project, Lock]:
    """The project and its lock without the files at ``paths``."""
    removed = set(paths)
    files = {path: raw for path, raw in project.files.items() if path not in removed}
    after = lock.placed(remembered, lambda path: None if path in removed else path)
    return _with_files(project, files, after), after


def _with_files(project: Project, files: dict[str, bytes], remembered: Lock) -> Project:
    return replace(project, files={**files, LOCK_PATH: lock.dump(remembered)})


def _moved(remembered: Lock, old: str, new: str, name: str) -> Lock:
    written, created = dict(remembered.written), dict(remembered.state.created)
    if (entry := written.pop(old, None)) is not None:
        written[new] = replace(entry, tool=name)
    if (kind := created.pop(old, None)) is not None:
        created[new] = kind
    changed = {path: entry for path, entry in remembered.state.changed.items() if path != old}
    return replace(remembered, written=written, state=replace(remembered.state, created=created, changed=changed))


def tool_named(server: Server, name: str) -> Tool | None:
    """The tool of a server with this name; ``None`` if there is none."""
    return next((tool for tool in server.tools if tool.name == name), None)
