"""A project as planning sees it, read once: every later stage is a function of it, and none reads the disk again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePosixPath

from pdmigrate import disk
from pdmigrate.describe.descriptions import DescriptionFile, load_all
from pdmigrate.describe.homes import Home
from pdmigrate.model import Finding, Inventory, Server, Site
from pdmigrate.names import SERVER_FILE
from pdmigrate.project.starters import Starters
from pdmigrate.record import lock
from pdmigrate.record.lock import Asked
from pdmigrate.source.glances import Glances
from pdmigrate.source.source import SourceFile, read_source
from pdmigrate.source.style import DEFAULT, Style
from pdmigrate.source.watchers import Watcher


@dataclass(frozen=True)
class Elsewhere:
    """The servers outside the requested part, with their homes: this plan does not move their tools."""

    servers: tuple[Server, ...] = ()
    homes: tuple[Home, ...] = ()


@dataclass(frozen=True)
class Surroundings:
    """What surrounds the servers on disk, how code is styled there, and how the project is run.

    Where nothing else is said, mappings are keyed by the files of servers.
    """

    modules: frozenset[str] = frozenset()
    """Python files beside the servers and above them: they decide how a module is imported."""
    ignored: tuple[str, ...] = ()
    """The places of generated files that git ignores."""
    nested_projects: Mapping[str, str] = field(default_factory=dict)
    """The servers' files that belong to a project of their own below the root, each with that project's folder."""
    styles: Mapping[str, Style] = field(default_factory=dict)
    """The code style of the Python files in a folder, by folder."""
    ways: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The ways in which a file is known (``running.ways_of``)."""
    libraries: frozenset[str] = frozenset()
    """The names of packages that the servers' projects require, in the spelling of imports."""
    starters: Starters = field(default_factory=lambda: Starters(Glances(Path())), compare=False)
    """The commands that start its files, and all its Python files."""
    majors: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """The major versions of the SDK with which a server may be installed."""
    watchers: tuple[Watcher, ...] = ()
    """The test files that query servers."""


@dataclass(frozen=True)
class Project:
    """``inventory`` is what the source declares, ``homes`` its servers' homes in order, ``files`` bytes by path."""

    root: Path
    inventory: Inventory
    homes: tuple[Home, ...]
    files: Mapping[str, bytes]
    elsewhere: Elsewhere = Elsewhere()
    around: Surroundings = field(default_factory=Surroundings)
    asked: Mapping[str, Asked] = field(default_factory=dict)
    """What running servers said, in this run or an earlier one, by the folders of their description files."""
    unasked: Mapping[Site, Server] = field(default_factory=dict)
    """The servers of which something is remembered as source alone shows them, by their sites."""
    read: disk.Seen = field(default_factory=dict, compare=False, repr=False)
    """Digests of all files from which the project was read."""

    @property
    def orphans(self) -> int:
        """The number of description files whose server no source declares any more."""
        if self.inventory.servers or self.inventory.findings:
            return 0
        remembered = lock.read(self.files)
        return 0 if remembered.modules else sum(path in self.files for path in remembered.written)

    def source(self, path: str) -> SourceFile:
        """A Python file of ``files``, with its style; raises SourceError if it cannot be decoded (PD103, PD104)."""
        style = self.around.styles.get(PurePosixPath(path).parent.as_posix(), DEFAULT)
        return read_source(path, self.files[path], style)

    def described(self, home: Home) -> Iterator[str]:
        """The paths of the files in a home's description folder, sorted."""
        yield from self._described.get(home.folder, ())

    def descriptions(self, home: Home) -> tuple[dict[str, DescriptionFile], list[Finding]]:
        """A home's description files by the names of their tools, and the findings about those that cannot be used."""
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
    """The servers that ``only``, or a file below it, constructs, and the findings about those files."""
    servers = tuple(server for server in inventory.servers if is_within(server.site.file, only))
    findings = tuple(f for f in inventory.findings if f.site is None or is_within(f.site.file, only))
    return replace(inventory, servers=servers, findings=findings)


def restricted(project: Project, wanted: Callable[[Server, Home], bool]) -> Project:
    """The project with unwanted servers moved to ``elsewhere``, where they still count but are not touched."""
    pairs = list(zip(project.inventory.servers, project.homes, strict=True))
    kept = [(server, home) for server, home in pairs if wanted(server, home)]
    left = [(server, home) for server, home in pairs if not wanted(server, home)]
    inventory = replace(project.inventory, servers=tuple(server for server, _ in kept))
    servers, homes = project.elsewhere.servers, project.elsewhere.homes
    others = Elsewhere((*servers, *(server for server, _ in left)), (*homes, *(home for _, home in left)))
    return replace(project, inventory=inventory, homes=tuple(home for _, home in kept), elsewhere=others)


def is_within(file: str, only: str) -> bool:
    """Whether a file belongs to the part ``only`` of a project; ``.`` or an empty text is the whole project."""
    return only in ("", ".", file) or file.startswith(f"{only}/")
