"""A project as planning sees it: what source declares, and the files that a plan may touch, read once.

Everything after this stage is a function of the ``Project``; nothing later reads the disk before a plan is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from pdmigrate import disk
from pdmigrate.describe.descriptions import SERVER_FILE, DescriptionFile, load_all
from pdmigrate.model import Finding, Inventory, Server
from pdmigrate.project.homes import Home
from pdmigrate.project.style import DEFAULT, Style
from pdmigrate.project.watchers import Watcher
from pdmigrate.record import lock
from pdmigrate.tree.source import SourceFile, read_source

if TYPE_CHECKING:
    from pdmigrate.evaluate.servers.entries import EntryPoint


@dataclass(frozen=True)
class Elsewhere:
    """The servers outside the part that was asked for, with their homes: what they list is not this plan's to move."""

    servers: tuple[Server, ...] = ()
    homes: tuple[Home, ...] = ()


@dataclass(frozen=True)
class Layout:
    """What stands around the servers on the disk, and how text looks there."""

    modules: frozenset[str] = frozenset()
    """Python files beside the servers and ``__init__.py`` above them: what decides how a module is imported."""
    packaging: frozenset[str] = frozenset()
    """Python files and folders near the build files: what decides what is packaged."""
    obstructed: Mapping[str, str] = field(default_factory=dict)
    """The places of generated files that something of another kind takes: ``file`` or ``folder``."""
    ignored: tuple[str, ...] = ()
    """The places of generated files that git leaves out of the repository."""
    apart: Mapping[str, str] = field(default_factory=dict)
    """The files of servers in a project of their own below the root, each with its folder."""
    styles: Mapping[str, Style] = field(default_factory=dict)
    """How the Python files of a folder are laid out, by the folder."""


@dataclass(frozen=True)
class Use:
    """How the project is run, and on what, by the files of its servers where it depends on them."""

    ways: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """How a file is run (``running.ways_of``)."""
    starts: tuple[EntryPoint, ...] = ()
    """What starts the project, as its packaging and its ``__main__`` modules say."""
    majors: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """The major versions of its SDK that a server may be installed with."""
    open_ended: frozenset[str] = frozenset()
    """Files of servers whose project would be installed with another major version of the SDK today."""
    watchers: tuple[Watcher, ...] = ()
    """The test files that ask servers."""


@dataclass(frozen=True)
class Project:
    """``inventory`` is what source says, ``homes`` the places of its servers in order, ``files`` paths and bytes."""

    root: Path
    inventory: Inventory
    homes: tuple[Home, ...]
    files: Mapping[str, bytes]
    elsewhere: Elsewhere = Elsewhere()
    layout: Layout = field(default_factory=Layout)
    use: Use = field(default_factory=Use)
    read: disk.Seen = field(default_factory=dict, compare=False, repr=False)
    """Digests of all files that this was made from."""

    @property
    def described_elsewhere(self) -> int:
        """How many description files were written for a server that source does not have: one in another language."""
        if self.inventory.servers or self.inventory.findings:
            return 0
        remembered = lock.read(self.files)
        return 0 if remembered.modules else sum(path in self.files for path in remembered.written)

    def source(self, path: str) -> SourceFile:
        """A Python file of ``files``, with the style in which it is to be edited.

        Raises:
            SourceError: it cannot be decoded (PD103, PD104).
        """
        return read_source(path, self.files[path], self.style_of(path))

    def style_of(self, path: str) -> Style:
        """How the Python files beside ``path`` are laid out."""
        return self.layout.styles.get(PurePosixPath(path).parent.as_posix(), DEFAULT)

    def described(self, home: Home) -> Iterator[str]:
        """The paths of the files in a home's description folder, sorted."""
        yield from self._described.get(home.folder, ())

    def descriptions(self, home: Home) -> tuple[dict[str, DescriptionFile], list[Finding]]:
        """A home's description files by the name of their tool, and what is wrong with those that cannot be used."""
        return load_all((path, self.files[path]) for path in self.described(home))

    @cached_property
    def _described(self) -> dict[str, list[str]]:
        folders: dict[str, list[str]] = {}
        for path in sorted(self.files):
            folder, _, name = path.rpartition("/")
            if name.endswith(".json") and name != SERVER_FILE:
                folders.setdefault(folder, []).append(path)
        return folders


def part_of(inventory: Inventory, only: str) -> Inventory:
    """The servers that ``only``, or a file below it, constructs, and what is to be said of those files."""
    servers = tuple(server for server in inventory.servers if is_within(server.site.file, only))
    findings = tuple(f for f in inventory.findings if f.site is None or is_within(f.site.file, only))
    return replace(inventory, servers=servers, findings=findings)


def restricted(project: Project, wanted: Callable[[Server, Home], bool]) -> Project:
    """The project with the servers that are not wanted elsewhere, where they decide but are not touched."""
    pairs = list(zip(project.inventory.servers, project.homes, strict=True))
    kept = [(server, home) for server, home in pairs if wanted(server, home)]
    left = [(server, home) for server, home in pairs if not wanted(server, home)]
    return replace(
        project,
        inventory=replace(project.inventory, servers=tuple(server for server, _ in kept)),
        homes=tuple(home for _, home in kept),
        elsewhere=Elsewhere(
            (*project.elsewhere.servers, *(server for server, _ in left)),
            (*project.elsewhere.homes, *(home for _, home in left)),
        ),
    )


def is_within(file: str, only: str) -> bool:
    """Whether a file belongs to the part of a project that was named: ``.`` is all of it."""
    return only in ("", ".", file) or file.startswith(f"{only}/")
