"""The servers as files on this machine: an environment each, the source before and after the migration, a folder."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from benchmarks.hosts.servers import Call, Server
from benchmarks.migrate.workshop import run
from pdmigrate.live.wire import StdioTarget, connect
from tests.support.environments import ROOT, environment

TAP = Path(__file__).with_name("tap.py")
LAUNCHER, NEIGHBOUR = "desk", "neighbour"
"""The programs that frameworks start: some name their tools after one.  They write down what the server is sent."""
SOURCES = Path(__file__).with_name("sources")
"""Servers that are here for one host."""


ENDING = "_describe_tools"


class StagingError(Exception):
    """A server cannot be migrated, or does not list what a script needs."""


@dataclass(frozen=True)
class Side:
    """One server, before its migration or after, below ``home``."""

    server: Server
    home: Path
    python: tuple[str, ...] = ()
    """What runs Python with the packages of the server, if not the interpreter of their environment."""
    wrapper: Path | None = None
    """The folder of the wrapper that stands in front of it, if one does."""
    neighbour: Side | None = None
    """The same side of another server, for a host that has two."""

    @property
    def tree(self) -> Path:
        return self.home / "source"

    @property
    def folder(self) -> Path:
        """Where it is started; ``fresh`` makes it as the script expects it."""
        return self.home / "folder"

    @property
    def log(self) -> Path:
        """What its clients sent, as the tap writes it."""
        return self.home / "sent.jsonl"

    def fresh(self) -> None:
        """Empty the log, and make the folder and the launcher anew."""
        self.log.write_text("")
        tapped = (sys.executable, str(TAP), str(self.log), *self.command)
        launcher = self.home / LAUNCHER
        launcher.write_text(f'#!/bin/sh\nexec {shlex.join(tapped)} "$@"\n')
        launcher.chmod(0o755)
        if self.neighbour is not None:
            self.neighbour.fresh()
            shutil.copy(self.neighbour.home / LAUNCHER, self.home / NEIGHBOUR)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for command in self.server.setup:
            run(["env", "-C", str(self.folder), *map(self._filled, command)])

    @property
    def command(self) -> tuple[str, ...]:
        """How to start it, or its wrapper, wherever the caller stands and whatever its environment is."""
        return self.own_command if self.wrapper is None else (sys.executable, str(self.wrapper / "server.py"))

    @property
    def own_command(self) -> tuple[str, ...]:
        """How to start the server itself."""
        variables = {
            "HOME": str(self.folder),
            "LANG": "C.UTF-8",
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(self.tree),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        bare = ("env", "-i", "-C", str(self.folder), *(f"{name}={value}" for name, value in variables.items()))
        return (*bare, *(self.python or (str(environment(self.server.pins)),)), *map(self._filled, self._program()))

    @cached_property
    def listing(self) -> list[dict[str, Any]]:
        """The tools that it lists."""
        self.fresh()
        with connect(StdioTarget(self.command), timeout=60) as session:
            session.initialize("2025-06-18")
            return session.list_tools()

    def filled(self, call: Call) -> tuple[str, dict[str, Any]]:
        """A call with the paths of this side."""
        return call[0], _map_texts(call[1], self._filled)

    def plain(self, text: str) -> str:
        """A result without what is this side's own."""
        return text.replace(str(self.folder), "{folder}")

    def _program(self) -> tuple[str, ...]:
        first, *rest = self.server.command
        return (str(self.tree / first) if first.endswith(".py") else first, *rest)

    def _filled(self, text: str) -> str:
        return text.replace("{folder}", str(self.folder)).replace("{python}", str(environment(self.server.pins)))


@dataclass(frozen=True)
class Stage:
    """A server on both sides of its migration."""

    before: Side
    after: Side

    @property
    def server(self) -> Server:
        return self.before.server

    @property
    def bridge(self) -> str:
        """The tool that is new since the migration."""
        return next(str(tool["name"]) for tool in self.after.listing if str(tool["name"]).endswith(ENDING))


def stage(server: Server, home: Path, python: tuple[str, ...] = ()) -> Stage:
    """Lay out the two sides of ``server`` below ``home``, migrated by this version of pdmigrate.

    Raises:
        StagingError: the migration leaves tools out.
    """
    home = home.resolve()  # as servers do that tell where they wrote
    other = stage(server.beside, home / "beside", python) if server.beside is not None else None
    wrapper = home / "after" / "wrapper" if server.wrapped else None
    was, now = (other.before, other.after) if other is not None else (None, None)
    staged = Stage(
        Side(server, home / "before", python, neighbour=was), Side(server, home / "after", python, wrapper, now)
    )
    for side in (staged.before, staged.after):
        shutil.rmtree(side.home, ignore_errors=True)
        shutil.copytree(_source(server), side.tree / server.package, ignore=shutil.ignore_patterns("__pycache__"))
    run(["git", "init", "--quiet", str(staged.after.tree)])  # or it were a part of this repository, which ignores it
    _wrap(staged.after) if server.wrapped else _migrate(staged.after)
    names, known = ([tool["name"] for tool in side.listing] for side in (staged.after, staged.before))
    if [name for name in names if not name.endswith(ENDING)] != known or len(names) != len(known) + 1:
        raise StagingError(f"{server.name} lists other tools than before: {', '.join(names)}")
    return staged


def _source(server: Server) -> Path:
    if not server.package:
        own = SOURCES / server.name
        return own if own.is_dir() else ROOT / "sample_servers" / server.name.removesuffix("-wrapped")
    (installed,) = environment(server.pins).parents[1].glob(f"lib/python*/site-packages/{server.package}")
    return installed


def _migrate(side: Side) -> None:
    sdk = (option for pin in side.server.sdk for option in ("--sdk", pin))
    options = ("--write", "--allow-dirty", "--format", "json", *sdk)
    command = [sys.executable, "-m", "pdmigrate", "apply", str(side.tree), "--all", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode or not json.loads(done.stdout)["written"]:
        raise StagingError(f"{side.server.name}: apply ended with {done.returncode}\n{done.stdout}{done.stderr}")


def _wrap(side: Side) -> None:
    side.folder.mkdir(parents=True)
    own = Side(side.server, side.home, side.python)
    own.fresh()
    command = [sys.executable, "-m", "pdmigrate", "wrap", str(side.wrapper), "--command", shlex.join(own.command)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        raise StagingError(f"{side.server.name}: wrap ended with {done.returncode}\n{done.stdout}{done.stderr}")


def _map_texts(value: Any, change: Any) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: _map_texts(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [_map_texts(item, change) for item in value]
    return value
