"""What setuptools packages, as one value, whichever of ``pyproject.toml``, ``setup.cfg`` and ``setup.py`` says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from pdmigrate.model import JsonObject
from pdmigrate.project.shipping.model import Tree, strings, under

# Names that automatic discovery of a flat layout passes over (setuptools, "Flat-layout").
_NOT_PACKAGES = (
    *("ci", "bin", "debian", "doc", "docs", "documentation", "manpages", "news", "newsfragments", "changelog"),
    *("test", "tests", "unit_test", "unit_tests", "example", "examples", "scripts", "tools", "util", "utils"),
    *("python", "build", "dist", "venv", "env", "requirements", "tasks", "fabfile", "site_scons"),
    *("benchmark", "benchmarks", "exercise", "exercises", "htmlcov", "[._]*"),
)
_NOT_MODULES = (
    *("setup", "conftest", "test", "tests", "example", "examples", "build", "toxfile", "noxfile", "pavement"),
    *("dodo", "tasks", "fabfile", "[Ss][Cc]onstruct", "conanfile", "manage"),
    *("benchmark", "benchmarks", "exercise", "exercises", "[._]*"),
)


@dataclass(frozen=True, slots=True)
class Find:
    """``packages.find``: every folder below ``where`` that looks like a package and passes the filters."""

    where: tuple[str, ...] = (".",)
    include: tuple[str, ...] = ("*",)
    exclude: tuple[str, ...] = ()
    namespaces: bool = True
    identifiers: bool = False
    """Whether names that cannot be imported are skipped, as automatic discovery does."""


@dataclass(frozen=True, slots=True)
class SetuptoolsLayout:
    """The part of setuptools' settings that decides what is in a wheel."""

    packages: tuple[str, ...] | Find | None = None
    modules: tuple[str, ...] | None = None
    folders: Mapping[str, str] = field(default_factory=dict)
    """``package_dir``: the folders of packages; the empty name stands for all other packages."""
    data: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """``package_data``; the empty name stands for every package."""
    excluded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    manifest: bool | None = None
    """Whether files named by ``MANIFEST.in`` and version control are taken (``include_package_data``), if set."""

    @property
    def base(self) -> str:
        """The folder of top-level modules and packages."""
        return clean(self.folders.get("", ""))


def from_pyproject(table: JsonObject) -> SetuptoolsLayout:
    """The layout of ``[tool.setuptools]``."""
    packages = table.get("packages")
    find = packages.get("find") if isinstance(packages, dict) else None
    folders = _texts(table.get("package-dir"))
    if isinstance(find, dict):
        where = strings(find.get("where")) or (".",)
        if len(where) == 1 and clean(where[0]):
            folders.setdefault("", where[0])
        found: tuple[str, ...] | Find | None = Find(
            where,
            strings(find.get("include")) or ("*",),
            strings(find.get("exclude")),
            find.get("namespaces") is not False,
        )
    else:
        found = strings(packages) if isinstance(packages, list) else None
    modules = table.get("py-modules")
    return SetuptoolsLayout(
        found,
        strings(modules) if modules is not None else None,
        folders,
        globs(table.get("package-data")),
        globs(table.get("exclude-package-data")),
        value if isinstance(value := table.get("include-package-data"), bool) else None,
    )


def globs(value: object) -> dict[str, tuple[str, ...]]:
    """``package_data`` in any of its spellings, with ``*``, which means every package, as the empty name."""
    found = value if isinstance(value, dict) else {}
    return {("" if name == "*" else str(name)): strings(items) for name, items in found.items()}


def _texts(value: object) -> dict[str, str]:
    found = value if isinstance(value, dict) else {}
    return {str(key): text for key, text in found.items() if isinstance(text, str)}


@dataclass(frozen=True, slots=True)
class Settled:
    """A layout that leaves nothing to discovery.

    ``found`` holds the only package or module that discovery found at the top of a flat layout; a second one would make
    discovery fail.
    """

    layout: SetuptoolsLayout
    found: tuple[str, ...] = ()


def settle(layout: SetuptoolsLayout, tree: Tree) -> Settled | None:
    """The layout, completed by automatic discovery in ``tree`` if it names nothing; ``None`` if there is no wheel.

    setuptools refuses a flat layout with several packages or modules at the top.
    """
    if layout.packages is not None or layout.modules is not None:
        return Settled(layout)
    named = {name: folder for name, folder in layout.folders.items() if name}
    if named:
        nested = (_nested(name, clean(folder), tree) for name, folder in named.items())
        return Settled(replace(layout, packages=tuple(name for names in nested for name in names)))
    base = clean(layout.folders.get("", "src"))
    if base and tree.has_folder(base):
        return Settled(replace(layout, packages=Find((base,)), modules=("*",), folders={"": base}))
    folders = [name for name in tree.folders_in("") if _is_package_name(name)]
    packages = tuple(name for name in folders if not name.endswith("-stubs"))
    if packages:
        every = tuple(pattern for name in folders for pattern in (name, f"{name}.*"))
        return (
            Settled(replace(layout, packages=Find(include=every, identifiers=True)), packages)
            if len(packages) == 1
            else None
        )
    modules = tuple(name for name in tree.modules_in("") if _is_module_name(name))
    return Settled(replace(layout, modules=modules), modules) if len(modules) == 1 else None


def _nested(name: str, folder: str, tree: Tree) -> list[str]:
    below = [path.rstrip("/") for path in tree.paths if path.endswith("/") and under(path.rstrip("/"), folder)]
    return [name, *(f"{name}.{path[len(folder) + 1 :].replace('/', '.')}" for path in sorted(below) if path != folder)]


def _is_package_name(name: str) -> bool:
    return name.removesuffix("-stubs").isidentifier() and not any(fnmatchcase(name, glob) for glob in _NOT_PACKAGES)


def _is_module_name(name: str) -> bool:
    return name.isidentifier() and not any(fnmatchcase(name, glob) for glob in _NOT_MODULES)


def package_at(layout: SetuptoolsLayout, folder: str, tree: Tree) -> str | None:
    """The name under which ``folder`` is a package of the wheel; ``None`` if it is not a package."""
    if isinstance(layout.packages, Find):
        return next(
            (name for where in layout.packages.where if (name := _found(layout.packages, where, folder, tree))), None
        )
    return next((name for name in layout.packages or () if _folder_of(layout, name) == folder), None)


def _found(find: Find, where: str, folder: str, tree: Tree) -> str | None:
    base = clean(where)
    if not under(folder, base) or folder == base:
        return None
    parts = folder[len(base) :].lstrip("/").split("/")
    for depth in range(1, len(parts) + 1):
        place = "/".join([*([base] if base else []), *parts[:depth]])
        name = ".".join(parts[:depth])
        if "." in parts[depth - 1] or not (find.namespaces or tree.has(f"{place}/__init__.py")):
            return None
        if find.identifiers and depth > 1 and not parts[depth - 1].isidentifier():
            return None
        if depth < len(parts) and {f"{name}*", f"{name}.*"} & set(find.exclude):
            return None
    name = ".".join(parts)
    chosen = any(fnmatchcase(name, glob) for glob in find.include)
    return name if chosen and not any(fnmatchcase(name, glob) for glob in find.exclude) else None


def _folder_of(layout: SetuptoolsLayout, name: str) -> str:
    """The folder of a package, by the most specific entry of ``package_dir``."""
    parts = name.split(".")
    for depth in range(len(parts), 0, -1):
        folder = layout.folders.get(".".join(parts[:depth]))
        if folder is not None:
            return "/".join(part for part in (clean(folder), *parts[depth:]) if part)
    return "/".join(part for part in (layout.base, *parts) if part)


def clean(folder: str) -> str:
    """A folder as ``Tree`` spells it: no dot, no slash at either end."""
    return "/".join(part for part in folder.replace("\\", "/").split("/") if part not in ("", "."))
