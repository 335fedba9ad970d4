"""setuptools: JSON files have to be named, and folders beside a single module break automatic discovery."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatch, fnmatchcase

from pdmigrate.describe.homes import Home
from pdmigrate.model import Finding, JsonObject
from pdmigrate.project.shipping.model import (
    Addition,
    Build,
    chain,
    example_file,
    matches,
    parent,
    pattern,
    strings,
    top_folder,
    under,
)

_TABLE = ("tool", "setuptools")
_PLUGINS = ("setuptools-scm", "setuptools_scm", "setuptools-git", "setuptools-hg", "setuptools-svn")
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
_DECIDES = {
    "setup.py": re.compile(r"\b(packages|py_modules|package_data)\s*=|\*\*"),
    "setup.cfg": re.compile(r"^(packages|py_modules|package_data)\s*=|^\[options\.package_data\]", re.MULTILINE),
}


def rules(build: Build) -> Iterator[Addition | Finding]:
    """Additions to ``[tool.setuptools]``; findings for what is missing in ``setup.cfg`` or ``setup.py`` (PD520)."""
    table = build.table(*_TABLE)
    decides = "packages" in table or "py-modules" in table
    legacy = next((file for file in _DECIDES if not decides and _DECIDES[file].search(build.files.get(file, ""))), None)
    if not table and "project" not in build.data:
        legacy = legacy or next((file for file in ("setup.cfg", "setup.py") if file in build.files), None)
        if legacy is None:
            return
    for home in build.homes:
        place, base = parent(home.module), _base(build, table)
        if legacy is not None:
            yield from _legacy(build, legacy, home)
        elif place == base:
            yield from _beside_modules(build, table, home, base)
        elif _is_package(table, place, base):
            yield from _named(build, table, home, "*", place)


def _base(build: Build, table: JsonObject) -> str:
    """The folder of top-level modules and packages."""
    folders, find = build.table(*_TABLE, "package-dir"), build.table(*_TABLE, "packages", "find")
    where = strings(find.get("where"))
    given = folders.get("") or (where[0] if len(where) == 1 else None)
    if isinstance(given, str):
        return clean(given)
    found = "packages" not in table and "py-modules" not in table and not folders
    return "src" if found and build.tree.has_folder("src") else ""


def _is_package(table: JsonObject, place: str, base: str) -> bool:
    """Whether the wheel holds the package in ``place``, by the settings, or else by automatic discovery."""
    packages, folders = table.get("packages"), table.get("package-dir")
    if isinstance(packages, list):
        mapped = folders if isinstance(folders, dict) else {}
        names = [clean(str(mapped.get(str(name), f"{base}/{str(name).replace('.', '/')}"))) for name in packages]
        return place in names
    find = packages.get("find") if isinstance(packages, dict) else None
    if isinstance(find, dict):
        where = [clean(folder) for folder in strings(find.get("where")) or (".",)]
        names = [place[len(folder) :].lstrip("/").replace("/", ".") for folder in where if under(place, folder)]
        include, exclude = strings(find.get("include")) or ("*",), strings(find.get("exclude"))
        return any(_passes(name, include) and not _passes(name, exclude) for name in names)
    if "py-modules" in table:
        return False
    if isinstance(folders, dict) and folders:
        return any(under(place, clean(str(folder))) for folder in folders.values())
    return under(place, base) and (bool(base) or not _passes(place.split("/")[0], _NOT_PACKAGES))


def _passes(name: str, globs: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)


def _beside_modules(build: Build, table: JsonObject, home: Home, base: str) -> Iterator[Addition | Finding]:
    """Answers for a home at the top: its module is a top-level module, its folder a package with data only."""
    folder = top_folder(home)
    name = folder.rpartition("/")[2]
    module = home.module.rpartition("/")[2].removesuffix(".py")
    packages, modules = table.get("packages"), table.get("py-modules")
    if packages is None and modules is None and not base:
        found = [name for name in build.tree.folders_in("") if name.isidentifier() and not _passes(name, _NOT_PACKAGES)]
        alone = [name for name in build.tree.modules_in("") if name.isidentifier() and not _passes(name, _NOT_MODULES)]
        if len(found) == 1:
            # The server is not in the wheel, and discovery would take its folder for a second package.
            yield Addition((*_TABLE, "packages", "find", "include"), (found[0], f"{found[0]}.*"))
        if found or len(alone) != 1:
            return  # with several of a kind, setuptools refuses to build
        yield Addition((*_TABLE, "py-modules"), (alone[0], module))
        yield Addition((*_TABLE, "packages"), (name,))
    elif packages is not None or modules is not None:
        if not set(strings(modules)) & set(build.tree.modules_in(base)):
            return
        yield Addition((*_TABLE, "py-modules"), (module,))
        find = packages.get("find") if isinstance(packages, dict) else None
        if not isinstance(find, dict):
            yield Addition((*_TABLE, "packages"), (name,))
        elif _passes(name, strings(find.get("exclude"))):
            yield build.finding("PD521", f"exclude of [tool.setuptools.packages.find] leaves out {folder}")
        elif not _passes(name, strings(find.get("include")) or ("*",)):
            yield Addition((*_TABLE, "packages", "find", "include"), (name,))
    yield from _named(build, table, home, name, folder)


def _named(build: Build, table: JsonObject, home: Home, key: str, place: str) -> Iterator[Addition | Finding]:
    """Name the description files as data of the package in ``place``, unless they are named or excluded already."""
    path = example_file(home)
    for glob, owner in _patterns(build, "exclude-package-data", path):
        if fnmatch(path, f"{owner}/{glob}"):
            yield build.finding(
                "PD521",
                f'"{glob}" in exclude-package-data leaves {path} out of the wheel',
                hint="remove or narrow the pattern in [tool.setuptools.exclude-package-data]",
                mark=glob,
            )
            return
    said = list(_manifest_lines(build, path))
    if said and not said[-1][1]:
        yield _taken_out(build, home, said[-1][0])
    given = any(
        matches(glob, path[len(owner) :].lstrip("/")) and (name != "*" or owner == place)
        for name in build.table(*_TABLE, "package-data")
        for glob, owner in _patterns(build, "package-data", path, name)
    )
    if not given and not (table.get("include-package-data") is not False and _from_elsewhere(build, said)):
        yield Addition((*_TABLE, "package-data", key), (pattern(home, place) if key == "*" else "**/*.json",))


def _patterns(build: Build, table: str, path: str, only: str = "") -> Iterator[tuple[str, str]]:
    """The globs of a table of package data, each with every folder above ``path`` that its package may be."""
    for name, globs in build.table(*_TABLE, table).items():
        for owner in chain(path):
            is_owner = name == "*" or f".{owner.replace('/', '.')}".endswith(f".{name}")
            if owner and is_owner and only in ("", name):
                yield from ((glob, owner) for glob in strings(globs))


def _from_elsewhere(build: Build, said: list[tuple[str, bool]]) -> bool:
    """Whether ``MANIFEST.in``, or a plugin that hands over what is under version control, names the files."""
    requires = strings(build.table("build-system").get("requires"))
    return said[-1][1] if said else any(item.lower().startswith(_PLUGINS) for item in requires)


def _taken_out(build: Build, home: Home, line: str) -> Finding:
    return build.finding(
        "PD521",
        f'"{line}" takes {example_file(home)} out of the sdist, and out of a wheel made from it',
        hint=f"add below it: recursive-include {top_folder(home)} *.json",
        file="MANIFEST.in",
        mark=line,
    )


def _manifest_lines(build: Build, path: str) -> Iterator[tuple[str, bool]]:
    """The lines of ``MANIFEST.in`` that match ``path``, each with whether it includes the file; the last decides."""
    text = build.files.get("MANIFEST.in", "")
    for line in text.replace("\\\r\n", " ").replace("\\\n", " ").splitlines():
        words = line.split("#", 1)[0].split()
        if len(words) >= 2 and any(matches(glob, path) for glob in _manifest_globs(words[0], words[1:])):
            yield line.strip(), words[0] in ("include", "recursive-include", "global-include", "graft")


def _manifest_globs(command: str, words: list[str]) -> list[str]:
    folder = "" if words[0] == "." else f"{words[0].strip('/')}/"
    return {
        "clude": words,
        "recursive-clude": [f"{folder}**/{glob}" for glob in words[1:]],
        "global-clude": [f"**/{glob}" for glob in words],
        "graft": [f"{folder}**"],
        "prune": [f"{folder}**"],
    }.get(re.sub(r"\b(in|ex)clude$", "clude", command), [])


def _legacy(build: Build, file: str, home: Home) -> Iterator[Addition | Finding]:
    """Answers where ``setup.py`` or ``setup.cfg`` says what is packaged; neither is run, nor edited."""
    text, folder, place = build.files[file], top_folder(home).rpartition("/")[2], parent(home.module)
    said = list(_manifest_lines(build, example_file(home)))
    if said and not said[-1][1]:
        yield _taken_out(build, home, said[-1][0])
    asked = re.search(r"include_package_data\s*=\s*(\w+)", text)
    by_manifest = (
        bool(said) and said[-1][1] and ((asked or ["", ""])[1] == "True" or (not asked and "project" in build.data))
    )
    if by_manifest or folder in text or "**/*.json" in text or place.split("/")[0] in _NOT_PACKAGES:
        return
    top = place in ("", "src")
    if not top and "project" in build.data and "package_data" not in text:
        # setuptools reads both files; package data in pyproject.toml would replace that of the other file.
        yield Addition((*_TABLE, "package-data", "*"), (pattern(home, place),))
        return
    glob = "**/*.json" if top else pattern(home, place)
    module = home.module.rpartition("/")[2].removesuffix(".py")
    if file == "setup.py":
        lines = [f'py_modules=["{module}"],', f'packages=["{folder}"],'] if top else []
        lines.append(f'package_data={{"{folder if top else ""}": ["{glob}"]}},')
    else:
        lines = ["[options]", f"py_modules = {module}", f"packages = {folder}"] if top else []
        lines += ["[options.package_data]", f"{folder if top else '*'} = {glob}"]
    where = "the arguments of setup()" if file == "setup.py" else build.path(file)
    shown = "\n".join(f"    {line}" for line in lines)
    message = "the description files are in the wheel only if this file names them"
    yield build.finding("PD520", message, hint=f"add to {where}:\n{shown}", file=file)


def clean(folder: str) -> str:
    """A folder as ``Tree`` spells it: no dot, no slash at either end."""
    return "/".join(part for part in folder.replace("\\", "/").split("/") if part not in ("", "."))
