"""setuptools: JSON files have to be named, and folders beside a single module break automatic discovery."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatch

from pdmigrate.describe.homes import Home
from pdmigrate.model import Finding
from pdmigrate.project.shipping.globs import matches
from pdmigrate.project.shipping.manifest import matching_lines
from pdmigrate.project.shipping.model import (
    PYPROJECT,
    Addition,
    Build,
    Tree,
    chain,
    example_file,
    parent,
    pattern,
    strings,
    top_folder,
    unique,
)
from pdmigrate.project.shipping.setuptools_layout import (
    Find,
    Settled,
    SetuptoolsLayout,
    from_pyproject,
    package_at,
    settle,
)
from pdmigrate.project.shipping.setuptools_legacy import (
    UnclearError,
    config_lines,
    from_config,
    from_script,
    script_lines,
)

_TABLE = ("tool", "setuptools")


def rules(build: Build) -> Iterator[Addition | Finding]:
    """Additions to ``[tool.setuptools]``; findings for what is missing in ``setup.cfg`` or ``setup.py`` (PD520)."""
    try:
        file, layout = _layout(build)
    except UnclearError as error:
        yield build.finding(
            "PD520",
            f"{error}, so it is unclear whether the description files are in the wheel",
            hint="\n".join(["make sure that setup() is called with:", f"    {script_lines(_data_only(build))}"]),
            file="setup.py" if "setup.py" in build.files else "setup.cfg",
        )
        return
    answers = tuple(_answers(build, layout))
    additions = unique([answer for answer in answers if isinstance(answer, Addition)])
    if file == PYPROJECT or _says_nothing_of_data(build, layout, additions):
        yield from answers
        return
    yield from (answer for answer in answers if isinstance(answer, Finding))
    if additions:
        text = script_lines(additions) if file == "setup.py" else config_lines(additions)
        shown = "\n".join(f"    {line}" for line in text.splitlines())
        where = "the arguments of setup()" if file == "setup.py" else build.path(file)
        yield build.finding(
            "PD520", "the description files would not be in the wheel", hint=f"add to {where}:\n{shown}", file=file
        )


def _says_nothing_of_data(build: Build, layout: SetuptoolsLayout, additions: tuple[Addition, ...]) -> bool:
    """Whether package data may go into ``pyproject.toml`` although another file names the packages.

    setuptools reads both files; package data in ``pyproject.toml`` replaces that of the other file, which must have
    none.
    """
    return "project" in build.data and not layout.data and all(item.path[2] == "package-data" for item in additions)


def _data_only(build: Build) -> tuple[Addition, ...]:
    """Package data for every home, with names made from its folder: a suggestion where the layout is not known."""
    found = []
    for home in build.homes:
        place = parent(home.module)
        if place in ("", "src"):
            found.append(_data(top_folder(home).rpartition("/")[2], "**/*.json"))
        else:
            found.append(_data(place.removeprefix("src/").replace("/", "."), pattern(home, place)))
    return unique(found)


def _layout(build: Build) -> tuple[str, SetuptoolsLayout]:
    """The file that says what is packaged, and what it says.

    Raises:
        UnclearError: the file computes what is packaged.
    """
    table = build.table(*_TABLE)
    if "packages" in table or "py-modules" in table:
        return PYPROJECT, from_pyproject(table)
    if (script := from_script(build.files.get("setup.py", ""))) is not None:
        return "setup.py", script
    if (config := from_config(build.files.get("setup.cfg", ""))) is not None:
        return "setup.cfg", config
    if "project" in build.data or table:
        return PYPROJECT, from_pyproject(table)
    return ("setup.cfg" if "setup.cfg" in build.files else "setup.py"), SetuptoolsLayout()


def _answers(build: Build, layout: SetuptoolsLayout) -> Iterator[Addition | Finding]:
    settled = settle(layout, build.tree)
    if settled is None:
        return
    top = [home for home in build.homes if parent(home.module) == settled.layout.base]
    for home in build.homes:
        if home in top:
            yield from _beside_modules(build, settled, home)
        elif (name := package_at(settled.layout, parent(home.module), _with(build.tree, home))) is not None:
            inside = pattern(home, parent(home.module))
            yield from _in_package(build, settled.layout, home, name, inside)


def _beside_modules(build: Build, settled: Settled, home: Home) -> Iterator[Addition | Finding]:
    """Answers for a home at the top: its module is a top-level module, its folder a package with data only."""
    layout, folder = settled.layout, top_folder(home)
    name = folder.rpartition("/")[2]
    module = home.module.rpartition("/")[2].removesuffix(".py")
    if settled.found and layout.modules is None:
        # The wheel has one package at the top and does not hold the server; discovery would take the server's folder
        # for a second package.
        find = layout.packages if isinstance(layout.packages, Find) else Find()
        yield Addition((*_TABLE, "packages", "find", "include"), find.include)
        return
    modules = layout.modules or ()
    if "*" not in modules:
        if not set(modules) & set(build.tree.modules_in(layout.base)):
            return
        if module not in modules:
            yield Addition((*_TABLE, "py-modules"), (*(settled.found or ()), module))
    if package_at(layout, folder, _with(build.tree, home)) is None:
        if isinstance(layout.packages, Find):
            if any(fnmatch(name, glob) for glob in layout.packages.exclude):
                yield build.finding("PD521", f"exclude of [tool.setuptools.packages.find] leaves out {folder}")
                return
            if "*" not in layout.packages.include:
                yield Addition((*_TABLE, "packages", "find", "include"), (name,))
        else:
            yield Addition((*_TABLE, "packages"), (name,))
    yield from _in_package(build, layout, home, name, "**/*.json")


def _in_package(
    build: Build, layout: SetuptoolsLayout, home: Home, name: str, glob: str
) -> Iterator[Addition | Finding]:
    """Name the description files as data of the package ``name``, unless they are named or excluded already."""
    path = example_file(home)
    tree = _with(build.tree, home)
    owners = {package: place for place in chain(path) if (package := package_at(layout, place, tree)) is not None}
    owners.setdefault(name, top_folder(home) if parent(home.module) == layout.base else parent(home.module))
    for package, place in owners.items():
        for exclude in (*layout.excluded.get("", ()), *layout.excluded.get(package, ())):
            if fnmatch(path, f"{place}/{exclude}"):
                yield build.finding(
                    "PD521",
                    f'"{exclude}" of the package data that is left out takes {path} out of the wheel',
                    hint="remove or narrow the pattern in [tool.setuptools.exclude-package-data]",
                    mark=exclude,
                )
                return
    said = tuple(matching_lines(build.files.get("MANIFEST.in", ""), path))
    if said and not said[-1][1]:
        yield build.finding(
            "PD521",
            f'"{said[-1][0]}" takes {path} out of the sdist, and out of a wheel made from it',
            hint=f"add below it: recursive-include {top_folder(home)} *.json",
            file="MANIFEST.in",
            mark=said[-1][0],
        )
    manifest = _reads_manifest(build) if layout.manifest is None else layout.manifest
    named = manifest and (bool(said) or _tracked(build)) and (not said or said[-1][1])
    given = any(
        matches(item, path[len(place) :].lstrip("/"))
        for package, place in owners.items()
        for item in (*layout.data.get("", ()), *layout.data.get(package, ()))
    )
    if not (named or given):
        yield _data(name, glob)


def _reads_manifest(build: Build) -> bool:
    """Whether setuptools packages what ``MANIFEST.in`` names by default: so it does with ``pyproject.toml``."""
    return "project" in build.data or bool(build.table(*_TABLE))


def _tracked(build: Build) -> bool:
    """Whether a plugin hands setuptools every file that is under version control."""
    requires = strings(build.table("build-system").get("requires"))
    plugins = ("setuptools-scm", "setuptools_scm", "setuptools-git", "setuptools-hg", "setuptools-svn")
    return any(requirement.lower().startswith(plugins) for requirement in requires)


def _data(package: str, glob: str) -> Addition:
    return Addition((*_TABLE, "package-data", package), (glob,))


def _with(tree: Tree, home: Home) -> Tree:
    """The tree with the files and folders of a home."""
    return Tree(tree.paths | Tree.of([example_file(home), home.module]).paths)
