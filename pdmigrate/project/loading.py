"""Read a project: the servers that source declares in the requested part, and the files that a plan may touch."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path, PurePosixPath

from pdmigrate import disk
from pdmigrate.describe.homes import Home, homes, with_described
from pdmigrate.errors import SourceError, StaleError, UsageError
from pdmigrate.model import Fixed, Movable, Sdk, Server, Site
from pdmigrate.names import LOCK_PATH, MODULE, STATE
from pdmigrate.project.model import Elsewhere, Project, Surroundings, is_within, part_of
from pdmigrate.project.reconcile import one_per_name
from pdmigrate.project.remembering import with_answers
from pdmigrate.project.serving import Tree, left_aside, said_of
from pdmigrate.project.starters import Starters
from pdmigrate.record import lock
from pdmigrate.settings import Settings
from pdmigrate.source.discover import PRUNED
from pdmigrate.source.entries import is_project
from pdmigrate.source.source import read_source
from pdmigrate.source.style import FILES, Style, style_of
from pdmigrate.source.watchers import watchers

TESTS = "tests"
"""The folder for tests that are written on request."""


def find_root(path: Path) -> tuple[Path, str]:
    """The root of the project that ``path`` belongs to, and ``path`` relative to it (``.`` for the root itself).

    The root is the nearest folder, at or above ``path``, that has been migrated before, or else the nearest with a
    build file or a repository; without either it is the folder from which the package of ``path`` is imported, or the
    folder of ``path``.  Nothing above a folder that is never searched for sources (``.cache``) counts.
    Raises UsageError if ``path`` cannot be followed, or is neither a folder nor a Python file.
    """
    resolved = _resolved(path)
    if not disk.is_folder(resolved) and resolved.suffix != ".py":
        raise UsageError(f"{path} is not a Python file", hint="give a folder or a Python file")
    folder = resolved if disk.is_folder(resolved) else resolved.parent
    around = (folder, *folder.parents)
    pruned = next((at for at, each in enumerate(around) if each.name in PRUNED), len(around))
    candidates = around[: pruned + 1]
    root = next((c for c in candidates if disk.is_file(c, LOCK_PATH)), None)
    root = root or next((c for c in candidates if is_marked(c)), None)
    root = root or next((c for c in candidates if not disk.is_file(c, "__init__.py")), candidates[-1])
    return root, resolved.relative_to(root).as_posix()


def is_marked(folder: Path) -> bool:
    """Whether a folder is the top of a project by itself: a repository, or one with a build file."""
    return disk.is_repository(folder) or is_project(folder, "")


def _resolved(path: Path) -> Path:
    try:
        return Path(disk.real(path, strict=True))
    except (OSError, RuntimeError, ValueError) as error:
        # Before 3.13, Python raises RuntimeError for links that lead to themselves.
        missing = isinstance(error, (FileNotFoundError, NotADirectoryError))
        what = "does not exist" if missing else f"cannot be followed: {error}"
        raise UsageError(f"{path} {what}", hint="give a folder or a Python file") from error


@contextmanager
def one_look() -> Iterator[disk.Seen]:
    """Gives the digests of the files read inside it; raises StaleError if one changes between two reads (PD601)."""
    try:
        with disk.reading() as seen:
            yield seen
    except disk.ChangedError as error:
        message = f"{error.path} was changed while the project was read"
        raise StaleError(message, hint="run the command again", code="PD601") from error


def load_project(root: Path, only: str, settings: Settings) -> Project:
    """Read a project as ``_load`` does, as one snapshot; raises StaleError if a file changes meanwhile (PD601)."""
    from pdmigrate.source import glance_index

    try:
        with one_look() as seen:
            return replace(_load(root, only, settings), read=seen)
    except StaleError:
        glance_index.forget(root)  # makes the next run read every file, even those taken for unchanged
        raise


def _load(root: Path, only: str, settings: Settings) -> Project:
    """Read a project: the servers that source declares below ``only``, and the files that a plan may touch.

    Neighbouring servers are read too: they decide where the servers of a folder have their homes, and which tools more
    than one server lists.  In a project that was migrated before, all servers are read.
    """
    from pdmigrate.project.shipping.building import candidates
    from pdmigrate.understand.inventory.extract import extract, look

    made = lock.read({LOCK_PATH: _read(root, LOCK_PATH)} if disk.is_file(root, LOCK_PATH) else {})
    # Above a package that belongs to no project there may be anything: only the package is looked at.
    package, _, _ = only.partition("/")
    alone = disk.is_folder(root, package) and not disk.is_file(root, LOCK_PATH) and not is_marked(root)
    glances = look(root, settings.exclude_paths, package if alone and only not in ("", ".") else "")
    # After an earlier run all servers are read, since its output may be anywhere; before, only those near ``only``.
    near = (only,) if only not in ("", ".") and not made.written and not made.modules else ()
    asked = (*((only,) if only not in ("", ".") else ()), *made.state.changed)
    sdk, seconds = settings.sdk, settings.seconds
    exclude = settings.exclude_paths
    everything = extract(root, sdk=sdk, exclude=exclude, near=near, asked=asked, glances=glances, seconds=seconds)
    everything = replace(everything, servers=tuple(map(one_per_name, everything.servers)))
    described = {path: written.tool for path, written in made.written.items()}
    enabled = [_enabled(root, server) for server in everything.servers]
    starters = Starters(glances)
    tree = Tree(root, glances.files, starters, _libraries(root, everything.servers))
    migrated = {server.site for server, how in zip(everything.servers, enabled, strict=True) if how is not None}
    aside = left_aside(tree, everything.servers, migrated, only)
    known = with_described(everything.servers, enabled, described, aside)
    for server, how in zip(everything.servers, known, strict=True):
        if how is not None:
            aside.pop(server.site, None)
    said = said_of(tree, aside) if len(migrated) < len(everything.servers) else ()
    inventory = part_of(replace(everything, findings=(*everything.findings, *said)), only)
    inventory = replace(inventory, servers=tuple(one for one in inventory.servers if one.site not in aside))
    places, elsewhere = _placed(everything.servers, known, aside, only)
    wanted = {*inventory.sources, *_sources(inventory.servers), *(home.module for home in places), *_files(root, STATE)}
    wanted.update((*made.modules, *made.written, *candidates(root, places)))
    wanted.update(path for home in places if home.folder in made.asked for path in made.asked[home.folder].sources)
    wanted.update(path for home in places for path in _files(root, home.folder, ".json"))
    wanted.update(f"{TESTS}/{name}" for name in disk.names(root, TESTS) if name.startswith(f"test_{MODULE}"))
    files = {path: _read(root, path) for path in sorted(wanted) if disk.is_file(root, path)}
    around = _around(root, inventory.servers, places, files, starters)
    return with_answers(Project(root, inventory, places, files, elsewhere, around), made.asked)


def _placed(
    servers: tuple[Server, ...], known: Sequence[str | None], aside: Collection[Site], only: str
) -> tuple[tuple[Home, ...], Elsewhere]:
    """The homes of the servers below ``only``, and the other servers; those left ``aside`` have no home."""
    kept = [(server, label) for server, label in zip(servers, known, strict=True) if server.site not in aside]
    everywhere = homes([server for server, _ in kept], [label for _, label in kept])
    placed = [(server, home) for (server, _), home in zip(kept, everywhere, strict=True)]
    others = [(server, home) for server, home in placed if not is_within(server.site.file, only)]
    left = (server for server in servers if server.site in aside)
    elsewhere = Elsewhere((*(server for server, _ in others), *left), tuple(home for _, home in others))
    return tuple(home for server, home in placed if is_within(server.site.file, only)), elsewhere


def _around(
    root: Path, servers: tuple[Server, ...], places: tuple[Home, ...], files: Iterable[str], starters: Starters
) -> Surroundings:
    from pdmigrate.disk.vcs import git
    from pdmigrate.project.shipping import building

    modules = frozenset(_beside(root, servers))
    own, tree = {server.site.file for server in servers}, starters.tree
    return Surroundings(
        modules=modules,
        ignored=git.ignored(root, building.git_questions(places)),
        nested_projects={server.site.file: nested for server in servers if (nested := _apart(root, server.site.file))},
        styles=_styles(root, modules, places, files),
        ways=_ways(root, own, tree),
        libraries=_libraries(root, servers),
        starters=starters,
        majors=_majors(root, servers),
        watchers=tuple(watchers(root, tree if own else (), own)),
    )


def _apart(root: Path, file: str) -> str:
    """The folder around ``file``, below the root, that is a repository or migrated project itself; empty if none is."""
    for folder in PurePosixPath(file).parents:
        own = folder.name and (disk.is_repository(root / folder) or disk.is_file(root / folder, LOCK_PATH))
        if own:
            return folder.as_posix()
    return ""


def _read(root: Path, path: str) -> bytes:
    try:
        return disk.read(root, path)
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        raise SourceError(message, hint="check the permissions of the file", code="PD107") from error


def _majors(root: Path, servers: Iterable[Server]) -> dict[str, frozenset[int]]:
    from pdmigrate.source.sdk_version import decided_by, majors

    answers: dict[tuple[str, Sdk], frozenset[int]] = {}
    found: dict[str, frozenset[int]] = {}
    for server in servers:
        file = server.site.file
        key = decided_by(root, file), server.sdk
        if key not in answers:
            answers[key] = majors(root, file, server.sdk)
        found[file] = answers[key]
    return found


def _enabled(root: Path, server: Server) -> str | None:
    """The label of a server that is enabled already; ``None`` for one that is not."""
    from pdmigrate.project.rewrite.enabling import enabled_by

    if isinstance(server.anchor, Fixed) or server.anchor.enabled is None:
        return None
    file = server.site.file
    return enabled_by(read_source(file, disk.read(root, file)), server.anchor.enabled)


def _libraries(root: Path, servers: tuple[Server, ...]) -> frozenset[str]:
    """The packages that the projects of the servers require, as they are imported where that is by their name."""
    from pdmigrate.source.sdk_version import required

    files = {server.site.file for server in servers}
    return frozenset(name.lower().replace("-", "_") for file in files for name in required(root, file))


def _ways(root: Path, paths: Iterable[str], tree: tuple[str, ...]) -> dict[str, frozenset[str]]:
    from pdmigrate.project.running import ways_of
    from pdmigrate.source.discover import is_test
    from pdmigrate.source.entries import entry_points

    files = {*paths}
    above = {folder.as_posix() for file in files for folder in PurePosixPath(file).parents}
    scripts = {point.module for folder in above for point in entry_points(root, "" if folder == "." else folder)}
    return ways_of(root, files, scripts, [path for path in tree if is_test(path)] if files else ())


def _styles(root: Path, beside: frozenset[str], homes: Iterable[Home], files: Iterable[str]) -> dict[str, Style]:
    """The code style in each folder of ``files``, by the configuration in and above the folder."""
    from pdmigrate.project.running import package_of

    @cache
    def configuration(folder: PurePosixPath) -> dict[str, bytes]:
        paths = {name: (folder / name).as_posix() for name in FILES}
        return {name: _read(root, path) for name, path in paths.items() if disk.is_file(root, path)}

    @cache
    def modules(folder: str) -> frozenset[str]:
        there = disk.listing(root, folder) if disk.is_folder(root, folder) else ()
        ours = (home.stem for home in homes if PurePosixPath(home.module).parent.as_posix() == folder)
        names = (name for name, kind, _ in there if name.endswith(".py") or kind == disk.FOLDER)
        return frozenset((*ours, *(PurePosixPath(name).stem for name in names)))

    styles = {}
    for folder in {PurePosixPath(path).parent for path in files if path.endswith(".py")}:
        own = package_of(folder, beside)[:1]
        configs = [(f.as_posix(), configuration(f)) for f in (folder, *folder.parents)]
        style = style_of(configs, modules)
        styles[folder.as_posix()] = replace(style, first_party=style.first_party | {*own})
    return styles


def _sources(servers: tuple[Server, ...]) -> Iterator[str]:
    for server in servers:
        yield server.site.file
        for tool in server.tools:
            if isinstance(tool.declaration, Movable):
                yield from (literal.file for literal in tool.declaration.literals.values())


def _files(root: Path, folder: str, end: str = "") -> Iterator[str]:
    paths = (f"{folder}/{name}" for name in disk.names(root, folder) if name.endswith(end))
    yield from (path for path in paths if disk.is_file(root, path))


def _beside(root: Path, servers: tuple[Server, ...]) -> Iterator[str]:
    for folder in {PurePosixPath(server.site.file).parent for server in servers}:
        for name in disk.names(root, folder.as_posix()):
            if name.endswith(".py"):
                yield (folder / name).as_posix()
            elif disk.is_file(root, (folder / name / "__init__.py").as_posix()):
                yield (folder / name / "__init__.py").as_posix()
        for above in folder.parents:
            names = (name for name in disk.names(root, above.as_posix()) if name.endswith(".py"))
            yield from ((above / name).as_posix() for name in names)
