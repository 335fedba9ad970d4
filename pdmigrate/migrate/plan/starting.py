"""The commands with which tests of a server's own repository start it: in the environment of the tests."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TypeAlias

from pdmigrate.model import Server
from pdmigrate.project.model import Project
from pdmigrate.project.running import package_of
from pdmigrate.source.entries import EntryPoint

PYTHON = "python"
"""Stands for the interpreter that runs the tests, at the front of a command."""
Start: TypeAlias = tuple[str, tuple[str, ...]]
"""The folder to start a server in, and the words of the command."""
_OVER_HTTP = re.compile(r"\b(?:streamable|https?|sse)\b|--port")
_CERTAIN = 1
"""The highest rank of commands that say how the server is served: console scripts, and settings of hosts."""


def starting(project: Project, asked: str) -> Mapping[str, Start]:
    """By file, what starts a server: the command that was ``asked`` for, else one that the project's texts give."""
    files = [server.site.file for server in project.inventory.servers]
    if asked.strip():
        words = [word.removeprefix(f"{project.root.as_posix()}/") for word in shlex.split(asked)]
        return dict.fromkeys(files, _here(project, words) or (".", tuple(words)))
    found: dict[str, Start] = {}
    for file, one in project.use.starters.apart(files).items():
        if one.rank <= _CERTAIN and not _OVER_HTTP.search(one.command):
            start = _here(project, shlex.split(one.command))
            found |= {file: start} if start else {}
    return found


def _here(project: Project, words: list[str]) -> Start | None:
    """A command as the interpreter of the tests runs it, without what makes an environment; ``None``: it cannot."""
    if words[:2] in (["uv", "run"], ["poetry", "run"], ["pdm", "run"]):
        words = words[2:]
    if not words:
        return None
    name, rest = PurePosixPath(words[0]).name, tuple(words[1:])
    if re.fullmatch(r"python[\d.]*|py", name):
        module = rest[1] if rest[:1] == ("-m",) and rest[1:] else ""
        return (_above(project, module) if module else "."), (PYTHON, *rest)
    declared = project.use.starters.scripts.get(name, "")
    module, _, function = declared.partition(":")
    if not re.fullmatch(r"[\w.]+", function) or not re.fullmatch(r"[\w.]+", module):
        return None
    return _above(project, module), (PYTHON, "-c", _call(EntryPoint(module, function)), *rest)


def _above(project: Project, module: str) -> str:
    """The folder from which a module is imported: the nearest to the root that has it."""
    stem = module.replace(".", "/")
    ends = [f"/{stem}{end}" for end in (".py", "/__init__.py", "/__main__.py")]
    found = [f"/{path}"[: -len(end)] for path in project.use.tree for end in ends if f"/{path}".endswith(end)]
    return min(found, key=len, default="").lstrip("/") or "."


def start_of(project: Project, server: Server) -> Start:
    """What starts a server by the project's entry points, where no command is known."""
    place = PurePosixPath(server.site.file)
    packaged = (place.parent / "__init__.py").as_posix() in project.layout.modules and place.parent.name
    package = package_of(place.parent, project.layout.modules) if packaged else ()
    folder = place.parents[len(package)].as_posix()
    runs = b"__name__" in project.files[server.site.file]
    for point in project.use.starts:
        own = point.module.split(".")[: len(package)] == [*package[: len(point.module.split("."))]]
        if package and own and not point.function:
            return folder, (PYTHON, "-m", point.module.removesuffix(".__main__"))
        if point.function and ((package and own) or (not package and point.module == place.stem and not runs)):
            return folder, (PYTHON, "-c", _call(point))
    top = [
        point for point in project.use.starts if point.function and package and point.module.split(".")[0] == package[0]
    ]
    if not runs and len(top) == 1:
        # The server's file only constructs it, and the project has a single command.
        return folder, (PYTHON, "-c", _call(top[0]))
    if not package:
        return folder, (PYTHON, place.name)
    if place.stem == "__init__" or not runs:
        # The file is no program: the nearest package around it that can be run starts the server.
        for depth in range(len(package), 0, -1):
            if "/".join((*(() if folder == "." else (folder,)), *package[:depth], "__main__.py")) in project.files:
                return folder, (PYTHON, "-m", ".".join(package[:depth]))
    return folder, (PYTHON, "-m", ".".join(package if place.stem == "__init__" else (*package, place.stem)))


def _call(point: EntryPoint) -> str:
    return f"import sys; from {point.module} import {point.function}; sys.exit({point.function}())"
