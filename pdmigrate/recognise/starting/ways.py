"""The ways to start a program: entry points of the packaging, modules as scripts, commands, and parts of a module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core.interpreter import Interpreter
from pdmigrate.evaluate.language.imports import module_at
from pdmigrate.knowledge.library.command_lines import LIBRARIES, commands
from pdmigrate.recognise.starting.driving import MOST_ENTRIES, call_command, drive, drive_more, enter

if TYPE_CHECKING:
    from pdmigrate.recognise.source.sites import CallSite
    from pdmigrate.recognise.starting.entries import EntryPoint
    from pdmigrate.recognise.world import World


@dataclass(frozen=True)
class Way:
    """One way to start a program; an entry point is started the same way for every file."""

    start: Callable[[Interpreter], None]
    entry: EntryPoint | None = None
    forced: bool = False
    """Whether it calls code that nothing was seen to call."""
    command: bool = False
    """A command of a command-line library: the library calls the function when the user picks that command."""

    @property
    def chosen(self) -> bool:
        """Whether the user chooses between this way and others, so that the servers of the others count as well."""
        return self.entry is not None or self.command


def as_programs(world: World, path: str, points: list[EntryPoint]) -> Iterator[Way]:
    """The ways that need no guess: entry points of the packaging, and modules run as scripts."""
    for point in points[:MOST_ENTRIES]:
        yield Way(partial(_entered, point), point)
    yield Way(partial(_as_script, path))
    for other in world.whole.importers(path)[:MOST_ENTRIES]:
        yield Way(partial(_as_script, other))


def as_commands(world: World, path: str, points: list[EntryPoint]) -> Iterator[Way]:
    """The commands of a command-line library, in the file itself, its importers, or the modules of entry points."""
    begins = (world.index.find(point.module, "pyproject.toml") for point in points)
    for file in dict.fromkeys((path, *begins, *world.whole.importers(path))):
        if file is not None and not file.endswith("/") and not LIBRARIES.isdisjoint(world.whole.imports(file)):
            for functions in commands(world.index.at(file)):
                yield Way(partial(_as_command, file, functions), command=True)


def in_parts(sites: list[CallSite]) -> Iterator[Way]:
    """The definitions around the calls that make servers, for when no program was seen to start."""
    for site in sites:
        if site.inside:
            yield Way(partial(_drive, site))
    for site in sites:
        yield Way(partial(_drive_more, site), forced=True)


def _entered(point: EntryPoint, run: Interpreter) -> None:
    enter(run, point)


def _as_script(path: str, run: Interpreter) -> None:
    run.assumed.script = path
    module_at(run, path, None)


def _as_command(file: str, functions: tuple[cst.FunctionDef, ...], run: Interpreter) -> None:
    module_at(run, file, None)
    call_command(run, functions)


def _drive(site: CallSite, run: Interpreter) -> None:
    module_at(run, site.module.path, None)
    drive(run, site)


def _drive_more(site: CallSite, run: Interpreter) -> None:
    _drive(site, run)
    drive_more(run, site)
