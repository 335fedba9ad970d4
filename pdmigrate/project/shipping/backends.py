"""Which files the build backends take: the ordinary cases; of any other a person is told to look at the wheel."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from posixpath import basename, dirname, normpath

from pdmigrate.describe.homes import Home
from pdmigrate.model import Finding, JsonObject, mapping
from pdmigrate.names import DESCRIPTIONS
from pdmigrate.project.shipping.building import PYPROJECT, Build, chain, example_file, under

DATA = f"{DESCRIPTIONS}/**/*.json"
"""The description files of every package, as package data of setuptools."""


def is_taken(build: Build, home: Home) -> bool | None:
    """Whether a home is in the wheel if its server is, or lacks package data; ``None`` if the settings leave it open.

    A module at the top is left open: it takes a list of modules, and its folder of descriptions another of packages.
    """
    backend = backend_of(build)
    if backend == "setuptools":
        return _by_setuptools(build, home)
    if backend == "hatchling" and "hatch.toml" not in build.files:
        return _by_hatchling(build, home) or None
    return (backend == "uv_build" and _by_uv(build, home)) or None


def backend_of(build: Build) -> str:
    """The package of the build backend (PEP 517: else setuptools); one of the project's own by its module."""
    system = build.table("build-system")
    module = system.get("build-backend")
    if not isinstance(module, str):
        poetry_only = "build-system" not in build.data and "project" not in build.data and build.table("tool", "poetry")
        return "poetry" if poetry_only else "setuptools"
    return f"{module} of {build.path('')}" if "backend-path" in system else module.split(":")[0].split(".")[0]


def left_open(build: Build, home: Home) -> Finding:
    files = f"{build.path(home.module)} and {build.path(dirname(home.module))}".rstrip("/") + f"/{DATA}"
    return build.finding(
        "PD523",
        f"the settings of {backend_of(build)} do not show pdmigrate whether {files} are in the wheel",
        hint="build a wheel and look: python -m build && python -m zipfile -l dist/*.whl; "
        "`pdmigrate explain PD523` says how each backend is told of files",
        file=next((name for name in (PYPROJECT, "setup.py", "setup.cfg") if name in build.files), PYPROJECT),
        mark="build-backend",
    )


def _by_uv(build: Build, home: Home) -> bool:
    """Whether the home is in a package, of whose files no setting of uv leaves some out."""
    settings = build.table("tool", "uv", "build-backend")
    excluded = any(settings.get(key) for key in ("source-exclude", "wheel-exclude"))
    return dirname(home.module) not in ("", "src") and not excluded


_OLDER_DATA = re.compile(r"(?<!include_)package_data|\*\*")


def _by_setuptools(build: Build, home: Home) -> bool | None:
    """As ``is_taken``: JSON files have to be named, and a folder beside a single module breaks the discovery."""
    table, place = build.table("tool", "setuptools"), dirname(home.module)
    older = "\n".join(build.files.get(file, "") for file in ("setup.py", "setup.cfg"))
    is_taken_out = "exclude-package-data" in table or _is_taken_out(build, home)
    if DESCRIPTIONS in older and not is_taken_out:
        return True
    # Package data in pyproject.toml would replace that of the older files.
    replaced = "package-data" not in table and _OLDER_DATA.search(older)
    is_older = not table and "project" not in build.data
    if is_taken_out or is_older or replaced or place in _tops(build, table):
        return None
    enough = {DATA} | ({DATA.replace("**/", "")} if basename(home.folder) == DESCRIPTIONS else set())
    for name, globs in mapping(table.get("package-data")).items():
        is_own = name == "*" or f"/{place}".endswith("/" + name.replace(".", "/"))
        if is_own and not {*enough, "**/*.json"}.isdisjoint(_strings(globs)):
            return True
    return False


def _tops(build: Build, table: JsonObject) -> set[str]:
    """The folders in which packages and single modules stand; ``src`` may be a package itself."""
    found = build.table("tool", "setuptools", "packages", "find").get("where")
    folders = (*_strings(found), *_strings(mapping(table.get("package-dir")).get("")), "src")
    return {"", *map(_plain, folders)} - {*_strings(table.get("packages"))}


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


_CHOOSING = ("only-include", "packages", "include")
"""The settings of a target of hatchling that choose files, the one that decides first."""


def _by_hatchling(build: Build, home: Home) -> bool:
    """Whether the filters let a home through; without any, the package with the project's name is taken whole."""
    common, place = build.table("tool", "hatch", "build"), dirname(home.module)
    wheel, sdist = ({**common, **mapping(mapping(common.get("targets")).get(name))} for name in ("wheel", "sdist"))
    roots = [_plain(root) for root in _strings(wheel.get("only-include")) or _strings(wheel.get("packages"))]
    beside = [root for root in roots if root.endswith(".py") and dirname(root) == place]
    if roots and not beside and not any(under(home.module, root) for root in roots):
        return True  # the server is not in the wheel, either
    forced = [_plain(source) for source in mapping(wheel.get("force-include"))]
    is_forced = any(under(home.module, source) or dirname(source) == place for source in forced)
    by_name = not roots and not wheel.get("include")
    if is_forced or wheel.get("only-packages") is True or (by_name and place in ("", "src")):
        return False
    # A wheel is made from the sdist, so the files of the wheel have to be in the sdist.
    files = (home.module, home.server_file, example_file(home))
    return all(_holds(target, file) for target in (wheel, sdist) for file in files)


def _holds(settings: JsonObject, path: str) -> bool:
    """Whether the filters of a target let a file in; ``force-include`` and ``artifacts`` are not asked."""
    key, given = next(((key, found) for key in _CHOOSING if (found := _strings(settings.get(key)))), ("", ()))
    roots = map(_plain, given)
    inside = _match(given, path) if key == "include" else not key or any(under(path, root) for root in roots)
    return inside and not _match(_strings(settings.get("exclude")), path)


def _match(patterns: tuple[str, ...], path: str) -> bool:
    """Whether patterns as in ``.gitignore`` match ``path``; the last pattern that applies decides."""
    from pdmigrate.source.discover import spec

    return bool(patterns) and spec(patterns).match_file(path)


def _strings(value: object) -> tuple[str, ...]:
    """The texts in a list; a single text counts as a list of one."""
    if isinstance(value, str):
        return (value,)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, (list, tuple)) else ()


def _plain(folder: str) -> str:
    """A path as ``Home`` spells it: no dot, no slash at either end."""
    path = normpath(folder.replace("\\", "/").strip("/") or ".")
    return "" if path == "." else path
