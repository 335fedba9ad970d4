"""Which files the build backends take: the ordinary cases; of any other a person is told to look at the wheel."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from posixpath import basename, dirname, normpath

from pdmigrate.describe.homes import Home
from pdmigrate.model import Finding, JsonObject, mapping
from pdmigrate.project.shipping.additions import Addition
from pdmigrate.project.shipping.building import (
    PYPROJECT,
    Build,
    chain,
    example_file,
    pattern,
    strings,
    top_folder,
    under,
)


def rules(build: Build) -> Iterator[Addition | Finding]:
    """What has to be added to ``pyproject.toml``; PD523 for each home of which the settings leave it open."""
    backend = backend_of(build)
    for home in build.homes:
        if backend == "setuptools":
            yield from _setuptools(build, home)
        elif backend == "hatchling" and "hatch.toml" not in build.files:
            yield from _hatchling(build, home)
        elif backend != "uv_build" or not _is_taken_whole(build, home):
            yield _open(build, home)


def backend_of(build: Build) -> str:
    """The package of the build backend (PEP 517: else setuptools); one of the project's own by its module."""
    system = build.table("build-system")
    module = system.get("build-backend")
    if not isinstance(module, str):
        poetry_only = "build-system" not in build.data and "project" not in build.data and build.table("tool", "poetry")
        return "poetry" if poetry_only else "setuptools"
    return f"{module} of {build.path('')}" if "backend-path" in system else module.split(":")[0].split(".")[0]


def _open(build: Build, home: Home) -> Finding:
    files = f"{build.path(home.module)} and {build.path(pattern(home))}"
    return build.finding(
        "PD523",
        f"the settings of {backend_of(build)} do not show pdmigrate whether {files} are in the wheel",
        hint="build a wheel and look: python -m build && python -m zipfile -l dist/*.whl; "
        "`pdmigrate explain PD523` says how each backend is told of files",
        file=next((name for name in (PYPROJECT, "setup.py", "setup.cfg") if name in build.files), PYPROJECT),
        mark="build-backend",
    )


def _is_taken_whole(build: Build, home: Home) -> bool:
    """Whether the home is in a package, of whose files no setting of uv leaves some out."""
    settings = build.table("tool", "uv", "build-backend")
    excluded = any(settings.get(key) for key in ("source-exclude", "wheel-exclude"))
    return dirname(home.module) not in ("", "src") and not excluded


# setuptools: JSON files have to be named, and folders beside a single module break automatic discovery.

_TABLE = ("tool", "setuptools")
# Names that automatic discovery of a flat layout passes over (setuptools, "Flat-layout").
_NOT_PACKAGES = (
    *("ci", "bin", "debian", "doc", "docs", "documentation", "manpages", "news", "newsfragments", "changelog"),
    *("test", "tests", "unit_test", "unit_tests", "example", "examples", "scripts", "tools", "util", "utils"),
    *("python", "build", "dist", "venv", "env", "requirements", "tasks", "fabfile", "site_scons"),
    *("benchmark", "benchmarks", "exercise", "exercises", "[._]*", "*-stubs"),
)
_NOT_MODULES = (
    *("setup", "conftest", "test", "tests", "example", "examples", "build", "toxfile", "noxfile", "pavement"),
    *("dodo", "tasks", "fabfile", "[Ss][Cc]onstruct", "conanfile", "manage"),
    *("benchmark", "benchmarks", "exercise", "exercises", "[._]*"),
)
_DATA = re.compile(r"(?<!include_)package_data|\*\*")
_PACKAGES = re.compile(r"\b(packages|py_modules)\s*=|\*\*")


def _setuptools(build: Build, home: Home) -> Iterator[Addition | Finding]:
    table = build.table(*_TABLE)
    place, base = dirname(home.module), _base(build, table)
    older = "\n".join(build.files.get(file, "") for file in ("setup.py", "setup.cfg"))
    is_taken_out = "exclude-package-data" in table or _is_taken_out(build, home)
    if basename(top_folder(home)) in older and not is_taken_out:
        return
    decides = "packages" in table or "py-modules" in table
    by_older = not decides and _PACKAGES.search(older)
    # Package data in pyproject.toml would replace that of the older files.
    replaced = "package-data" not in table and _DATA.search(older)
    is_older = not table and "project" not in build.data
    if is_taken_out or is_older or replaced or (by_older and place == base):
        yield _open(build, home)
    elif place == base:
        yield from _beside_modules(build, table, home, base)
    elif place:
        is_flat = not base and not decides and not by_older and "package-dir" not in table
        if not is_flat or not _passes(place.split("/")[0], _NOT_PACKAGES):
            owner = place[len(base) :].lstrip("/") if under(place, base) else place
            yield from _named(table, home, "*", owner.replace("/", "."), pattern(home, place))


def _base(build: Build, table: JsonObject) -> str:
    folders, find = mapping(table.get("package-dir")), build.table(*_TABLE, "packages", "find")
    where = strings(find.get("where"))
    given = folders.get("") or (where[0] if len(where) == 1 else None)
    if isinstance(given, str):
        return _plain(given)
    found = "packages" not in table and "py-modules" not in table and not folders
    return "src" if found and "src/" in build.tree else ""


def _beside_modules(build: Build, table: JsonObject, home: Home, base: str) -> Iterator[Addition | Finding]:
    """Answers for a home at the top: its module is a top-level module, its folder a package with data only."""
    folder, module = basename(top_folder(home)), basename(home.module).removesuffix(".py")
    packages, modules = table.get("packages"), table.get("py-modules")
    find, mapped = build.table(*_TABLE, "packages", "find"), mapping(table.get("package-dir"))
    if set(mapped) - {""} or (mapped and not base) or (modules and {"include", "exclude"} & set(find)):
        yield _open(build, home)
        return
    if packages is None and modules is None and not base:
        found = [name for name in build.folders("") if name.isidentifier() and not _passes(name, _NOT_PACKAGES)]
        alone = [name for name in build.modules("") if name.isidentifier() and not _passes(name, _NOT_MODULES)]
        if len(found) == 1:
            # The server is not in the wheel, and discovery would take its folder for a second package.
            yield Addition((*_TABLE, "packages", "find", "include"), (found[0], f"{found[0]}.*"))
        if found or len(alone) != 1:
            return  # with several of a kind, setuptools refuses to build
        yield Addition((*_TABLE, "py-modules"), (alone[0], module))
        yield Addition((*_TABLE, "packages"), (folder,))
    elif packages is not None or modules is not None:
        if not set(strings(modules)) & set(build.modules(base)):
            return
        yield Addition((*_TABLE, "py-modules"), (module,))
        if not isinstance(packages, dict):
            yield Addition((*_TABLE, "packages"), (folder,))
    yield from _named(table, home, folder, folder, "**/*.json")


def _named(table: JsonObject, home: Home, key: str, owner: str, glob: str) -> Iterator[Addition]:
    """``glob`` as data of the package ``owner``, unless the description files are named as that in plain words."""
    enough = {glob, "**/*.json"} | ({glob.replace("**/", "")} if home.folder == top_folder(home) else set())
    data = mapping(table.get("package-data"))
    if not any(name in ("*", owner) and enough & set(strings(globs)) for name, globs in data.items()):
        yield Addition((*_TABLE, "package-data", key), (glob,))


def _is_taken_out(build: Build, home: Home) -> bool:
    """Whether a line of ``MANIFEST.in``, wherever it applies, may take files of a home out of the sdist."""
    places = (home.module, home.server_file, example_file(home))
    names = [name for place in places for name in (basename(place), *map(basename, chain(place))) if name]
    for line in build.files.get("MANIFEST.in", "").replace("\\\r\n", " ").replace("\\\n", " ").splitlines():
        words = line.split()
        given = words[2:] if line.startswith("recursive-") else words[1:]
        globs = [word.rstrip("/").rpartition("/")[2] for word in given]
        if re.search("exclude|prune", words[0] if words else "") and any(_passes(name, globs) for name in names):
            return True
    return False


def _passes(name: str, globs: Iterable[str]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)


# hatchling: packages, or all files that its filters let through, and nothing that git ignores.

_BUILD = ("tool", "hatch", "build")


def _hatchling(build: Build, home: Home) -> Iterator[Finding]:
    wheel, sdist = ({**build.table(*_BUILD), **build.table(*_BUILD, "targets", name)} for name in ("wheel", "sdist"))
    servers, files = build.siblings(home), (home.module, home.server_file, example_file(home))
    if not any(wheel.get(key) for key in _CHOOSING):
        wheel["packages"] = [*_found_by_name(build)]
    forced = [_plain(source) for source in mapping(wheel.get("force-include"))]
    is_forced = any(under(server, source) for source in forced for server in servers)
    is_clear = any(wheel.get(key) for key in _CHOOSING) and not is_forced and wheel.get("only-packages") is not True
    # A wheel is made from the sdist, so the files of the wheel have to be in the sdist.
    is_held = all(_holds(target, file) for target in (wheel, sdist) for file in files)
    if not is_clear or (any(_holds(wheel, server) for server in servers) and not is_held):
        yield _open(build, home)


_CHOOSING = ("only-include", "packages", "include")
"""The settings of a target that choose files, the one that decides first."""


def _found_by_name(build: Build) -> tuple[str, ...]:
    """What a wheel consists of when nothing is chosen: the package or module with the project's name, if any."""
    project = build.table("project").get("name")
    name = project if isinstance(project, str) else ""
    for known in (re.sub(r"[^\w.]+", "_", each) for each in (name, re.sub(r"[-_.]+", "-", name).lower()) if each):
        for path in (f"{known}/__init__.py", f"src/{known}/__init__.py", f"{known}.py"):
            if path in build.tree:
                return (path.removesuffix("/__init__.py"),)
    return ()


def _holds(settings: JsonObject, path: str) -> bool:
    """Whether the filters of a target let a file in; ``force-include`` and ``artifacts`` are not asked."""
    key, given = next(((key, found) for key in _CHOOSING if (found := strings(settings.get(key)))), ("", ()))
    roots = map(_plain, given)
    inside = _match(given, path) if key == "include" else not key or any(under(path, root) for root in roots)
    return inside and not _match(strings(settings.get("exclude")), path)


def _match(patterns: tuple[str, ...], path: str) -> bool:
    """Whether patterns as in ``.gitignore`` match ``path``; the last pattern that applies decides."""
    from pdmigrate.source.discover import spec

    return bool(patterns) and spec(patterns).match_file(path)


def _plain(folder: str) -> str:
    """A path as ``Build.tree`` spells it: no dot, no slash at either end."""
    path = normpath(folder.replace("\\", "/").strip("/") or ".")
    return "" if path == "." else path
