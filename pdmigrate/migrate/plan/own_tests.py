"""Tests of a migrated server for its own repository: written once, and then left for people to edit."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TypeAlias

from pdmigrate.findings import finding
from pdmigrate.live.verify.picks import harm
from pdmigrate.migrate.plan.drafts import Draft
from pdmigrate.model import Fate, FileChange, FileKind, Finding, JsonObject, Server, Site
from pdmigrate.names import MODULE
from pdmigrate.project.commands import SCRIPT, bare
from pdmigrate.project.loading import TESTS
from pdmigrate.project.model import Project
from pdmigrate.project.rewrite.literals import LiteralLayout, python_literal
from pdmigrate.project.running import package_of
from pdmigrate.record import lock
from pdmigrate.record.lock import Lock
from pdmigrate.runtime.render import render_tests
from pdmigrate.settings import Settings

_LAYOUT = LiteralLayout("", len("ARGUMENTS: dict[str, Any] = "))
_NEEDS_ARGUMENTS = 4
"""The rank (``picks.harm``) of a tool that may do something, and cannot run without arguments."""


def own_tests(
    project: Project, drafts: Sequence[Draft], settings: Settings, remembered: Lock, asked: str = ""
) -> tuple[list[FileChange], list[Finding]]:
    """The tests of servers that have none yet, and findings about tests left out; ``asked`` starts the only server."""
    commands = starting(project, asked if len(project.inventory.servers) == 1 else "")
    changes: list[FileChange] = []
    findings: list[Finding] = []
    for path, draft in _places(drafts):
        text, present = _rendered(project, draft, settings, commands), project.files.get(path)
        message, hint, site = "", "", Site(path, 1)
        if present is None and text is not None:
            changes.append(FileChange(path, None, text.encode(), FileKind.TEST, f"tests of {draft.label}"))
        elif present is None:
            message = f"no tests of {draft.label} are written: source shows the name of none of its tools"
            hint, site = "see why in the findings above", draft.server.site
        elif path not in remembered.tests:
            message = f"{path} exists already and was not written by pdmigrate: no tests of {draft.label} are written"
        elif text is not None and text.encode() != present and remembered.tests[path] == lock.source_digest(present):
            message = f"{path} is unchanged since pdmigrate wrote it, and would be written differently now"
        findings += [finding("PD543", message, hint=hint, site=site)] if message else []
    return changes, findings


def _places(drafts: Sequence[Draft]) -> Iterator[tuple[str, Draft]]:
    taken: set[str] = set()
    for draft in drafts:
        own = re.sub(r"[^a-z0-9]+", "_", draft.label.removesuffix(".py").lower()).strip("_")
        stem = f"test_{MODULE}_{own}" if len(drafts) > 1 and own else f"test_{MODULE}"
        names = (stem, *(f"{stem}_{number}" for number in range(2, len(drafts) + 1)))
        name = next(name for name in names if name not in taken)
        taken.add(name)
        yield f"{TESTS}/{name}.py", draft


def _rendered(project: Project, draft: Draft, settings: Settings, commands: Mapping[str, Start]) -> str | None:
    """The tests of one server, with a tool that is always listed if possible; ``None`` where no tool is described."""
    moved = [tool for tool in draft.tools if tool.outcome.fate in (Fate.MOVED, Fate.STUBBED) and tool.content]
    certain = [tool for tool in moved if tool.tool.conditional is None]
    if not (definitions := [tool.content for tool in certain or moved]):
        return None
    ranked = [(found[0], position) for position, tool in enumerate(definitions) if (found := harm(tool)) is not None]
    rank, position = min(ranked, default=(None, 0))
    chosen = definitions[position]
    folder, command = commands.get(draft.server.site.file) or _by_its_file(project, draft.server)
    python = command[0] == PYTHON
    words = ("sys.executable" if python else _quoted(command[0]), *map(_quoted, command[1:]))
    return render_tests(
        server=" ".join((draft.server.name or draft.server.site.file).replace("\\", "").replace('"""', "").split()),
        folder=f" / {_quoted(folder)}" if folder not in ("", ".") else "",
        command=f"[{', '.join(words)}]",
        python=python,
        descriptions=draft.home.folder,
        bridge=settings.bridge,
        tool=_quoted(str(chosen["name"])),
        arguments=None if rank is None else python_literal(_arguments(chosen, rank), _LAYOUT),
        gate=settings.stdio if settings.stdio in ("enforce", "strict") else "",
        stub_schema=settings.stub_schema,
    )


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=True) if text.isascii() and text.isprintable() else repr(text)


def _arguments(tool: JsonObject, rank: int) -> JsonObject:
    """Arguments for a call: the tool's first example where the tool only reads, otherwise none."""
    examples = tool.get("examples")
    first = examples[0] if isinstance(examples, list) and examples else None
    given = first.get("input") if isinstance(first, dict) else None
    return given if isinstance(given, dict) and rank < _NEEDS_ARGUMENTS else {}


PYTHON = "python"
"""Stands for the interpreter that runs the tests, at the front of a command."""
Start: TypeAlias = tuple[str, tuple[str, ...]]
"""The folder to start a server in, and the words of the command."""
_OVER_HTTP = re.compile(r"\b(?:streamable|https?|sse)\b|--port")


def starting(project: Project, asked: str) -> Mapping[str, Start]:
    """By file, what starts a server: the command that was ``asked`` for, else one that the project's texts give."""
    files = [server.site.file for server in project.inventory.servers]
    if asked.strip():
        words = [word.removeprefix(f"{project.root.as_posix()}/") for word in shlex.split(asked)]
        return dict.fromkeys(files, _here(project, words) or (".", tuple(words)))
    found: dict[str, Start] = {}
    for file, one in project.around.starters.apart(files).items():
        if one.rank < SCRIPT and not _OVER_HTTP.search(one.command):
            start = _here(project, shlex.split(one.command))
            found |= {file: start} if start else {}
    return found


def _here(project: Project, words: list[str]) -> Start | None:
    """A command as the interpreter of the tests runs it, without what makes an environment; ``None``: it cannot."""
    if not (words := bare(words)):
        return None
    name, rest = PurePosixPath(words[0]).name, tuple(words[1:])
    if re.fullmatch(r"python[\d.]*|py", name):
        module = rest[1] if rest[:1] == ("-m",) and rest[1:] else ""
        return (_above(project, module) if module else "."), (PYTHON, *rest)
    declared = project.around.starters.scripts.get(name, "")
    module, _, function = declared.partition(":")
    if not re.fullmatch(r"[\w.]+", function) or not re.fullmatch(r"[\w.]+", module):
        return None
    call = f"import sys; from {module} import {function}; sys.exit({function}())"
    return _above(project, module), (PYTHON, "-c", call, *rest)


def _above(project: Project, module: str) -> str:
    """The folder from which a module is imported: the nearest to the root that has it."""
    stem = module.replace(".", "/")
    ends = [f"/{stem}{end}" for end in (".py", "/__init__.py", "/__main__.py")]
    paths = [f"/{path}" for path in project.around.starters.tree]
    found = [path.removesuffix(end) for path in paths for end in ends if path.endswith(end)]
    return min(found, key=len, default="").lstrip("/") or "."


def _by_its_file(project: Project, server: Server) -> Start:
    place = PurePosixPath(server.site.file)
    if not place.parent.name or (place.parent / "__init__.py").as_posix() not in project.around.modules:
        return place.parent.as_posix(), (PYTHON, place.name)
    package = package_of(place.parent, project.around.modules)
    module = ".".join((*package, place.stem)).removesuffix(".__init__")
    return place.parents[len(package)].as_posix(), (PYTHON, "-m", module)
