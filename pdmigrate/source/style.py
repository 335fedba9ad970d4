"""A project's code style, as its configuration of ruff, black, isort and flake8 defines it.

A new line should look as the project's own formatter would leave it.  Nothing is formatted here: the settings shape
the few lines that pdmigrate writes.  A project without settings gets the defaults of ruff and black.
"""

from __future__ import annotations

import configparser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import PurePosixPath
from typing import Any, TypeAlias

from pdmigrate.source.documents import DocumentError, read_toml

Table: TypeAlias = Mapping[str, Any]

FILES = (
    "pyproject.toml",
    "ruff.toml",
    ".ruff.toml",
    ".isort.cfg",
    "setup.cfg",
    "tox.ini",
    ".flake8",
    "mypy.ini",
    ".mypy.ini",
    "pyrightconfig.json",
    "ty.toml",
)
"""The files in which a project may configure how its code is styled and checked."""

SECTIONS = ("future", "standard-library", "third-party", "first-party", "local-folder")
"""The sections of imports in their usual order, under ruff's names."""

_ISORT_SECTIONS = dict(zip(("FUTURE", "STDLIB", "THIRDPARTY", "FIRSTPARTY", "LOCALFOLDER"), SECTIONS, strict=True))
_SORTED_IN_SECTIONS = frozenset({"google", "open_stack", "appnexus"})
"""The profiles of isort that mix ``import`` and ``from`` lines."""


@dataclass(frozen=True, slots=True)
class ImportStyle:
    """How imports are sorted: the settings of isort, and of ruff's isort rules, that decide where a line goes."""

    settled: bool = False
    """Whether the project's configuration asks for sorted imports."""
    sections: bool = True
    order: tuple[str, ...] = SECTIONS
    known: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Patterns of modules, by section."""
    default: str = "third-party"
    first_party: frozenset[str] = frozenset()
    """The modules and folders in the project's source roots."""
    mixed: bool = False
    """Whether ``import`` and ``from`` lines of a section are sorted as one list (``force-sort-within-sections``)."""
    from_first: bool = False
    closest_first: bool = False
    lines_between_types: int = 0
    lines_after: int = -1
    """Blank lines after the imports; -1 to keep their number."""
    joined: frozenset[str] = frozenset()
    """The sections without a blank line before them."""


@dataclass(frozen=True, slots=True)
class Style:
    """The style of new lines in one file.

    ``quote`` is empty if the file's own strings decide.  ``checked`` says whether the project has a type checker,
    ``lenient`` whether that checker ignores modules that it cannot find.
    """

    width: int = 88
    quote: str = ""
    imports: ImportStyle = ImportStyle()
    checked: bool = False
    lenient: bool = False


DEFAULT = Style()


def style_of(configs: Sequence[tuple[str, Mapping[str, bytes]]], modules: Callable[[str], Iterable[str]]) -> Style:
    """The style of the files in one folder.

    Args:
        configs: folders relative to the root, the nearest first, each with those of ``FILES`` that it holds.
        modules: gives the names of the modules and folders in a source root.
    """
    folders = [(folder, _tables(files)) for folder, files in configs]
    ruff_at, ruff = _nearest(folders, "ruff")
    isort_at, isort = _nearest(folders, "isort")
    _, black = _nearest(folders, "black")
    if isort is not None and not _selects_isort(ruff or {}):
        imports, base = _of_isort(isort), isort_at
    elif ruff is not None:
        imports, base = _of_ruff(ruff), ruff_at
    else:
        imports, base = ImportStyle(), next((folder for folder, tables in folders if tables), "")
    roots = _roots(base, ruff or {}, isort or {})
    return Style(
        _width(ruff, black, folders),
        _quote(ruff or {}, black),
        replace(imports, first_party=frozenset(name for root in roots for name in modules(root))),
        any(_nearest(folders, tool)[1] is not None for tool in ("mypy", "pyright", "ty")),
        _flag((_nearest(folders, "mypy")[1] or {}).get("ignore_missing_imports")),
    )


def _tables(files: Mapping[str, bytes]) -> dict[str, Table]:
    """The tables of one folder's configuration, by the name of the tool; files that cannot be parsed are skipped."""
    found: dict[str, Table] = {}
    for name in ("setup.cfg", "tox.ini", ".flake8", ".isort.cfg", "mypy.ini", ".mypy.ini"):
        for section, table in _ini(files[name]) if name in files else ():
            tool = {"settings": "isort", "pycodestyle": "flake8"}.get(section, section)
            found.setdefault(tool, table)
    tools = _toml(files["pyproject.toml"]).get("tool", {}) if "pyproject.toml" in files else {}
    found.update({tool: table for tool, table in tools.items() if isinstance(table, dict)})
    for name in ("ruff.toml", ".ruff.toml"):
        if name in files:
            found["ruff"] = _toml(files[name])
    found.update({tool: {} for tool, name in (("pyright", "pyrightconfig.json"), ("ty", "ty.toml")) if name in files})
    return found


def _toml(raw: bytes) -> Table:
    try:
        return read_toml(raw)
    except DocumentError:
        return {}


def _ini(raw: bytes) -> Iterator[tuple[str, Table]]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(raw.decode())
    except (configparser.Error, UnicodeDecodeError):
        return
    yield from ((section, dict(parser[section])) for section in parser.sections())


def _nearest(folders: Sequence[tuple[str, Mapping[str, Table]]], tool: str) -> tuple[str, Table | None]:
    return next(((folder, tables[tool]) for folder, tables in folders if tool in tables), ("", None))


# --- lines and quotes -------------------------------------------------------------------------------------------------


def _width(ruff: Table | None, black: Table | None, folders: Sequence[tuple[str, Mapping[str, Table]]]) -> int:
    """The line length: black's if black is configured and ruff's formatter is not, else ruff's or flake8's."""
    if black is not None and not (ruff and "format" in ruff):
        return _number(black.get("line-length", black.get("line_length"))) or DEFAULT.width
    if ruff is not None:
        return _number(ruff.get("line-length")) or DEFAULT.width
    _, flake8 = _nearest(folders, "flake8")
    table = flake8 or {}
    return _number(table.get("max-line-length", table.get("max_line_length"))) or DEFAULT.width


def _number(value: object, otherwise: int = 0) -> int:
    text = str(value).strip()
    return int(text) if text.isdecimal() else otherwise


def _quote(ruff: Table, black: Table | None) -> str:
    """The quotes that a formatter or linter enforces; empty if the file's own strings decide."""
    kinds = {"double": '"', "single": "'"}
    linted = _part(_part(ruff, "lint"), "flake8-quotes") or _part(ruff, "flake8-quotes")
    style = _part(ruff, "format").get("quote-style", linted.get("inline-quotes"))
    if style is not None:
        return kinds.get(str(style), "")
    return "" if black is None or black.get("skip-string-normalization") else '"'


def _part(table: Table, name: str) -> Table:
    value = table.get(name, {})
    return value if isinstance(value, dict) else {}


# --- imports ----------------------------------------------------------------------------------------------------------


def _selects_isort(ruff: Table) -> bool:
    tables = (ruff, _part(ruff, "lint"))
    chosen = chain.from_iterable(_words(t.get(key)) for t in tables for key in ("select", "extend-select"))
    return any(code == "ALL" or (code[:1] == "I" and not code[1:].strip("0123456789")) for code in chosen)


def _of_ruff(ruff: Table) -> ImportStyle:
    return _style({**_part(ruff, "isort"), **_part(_part(ruff, "lint"), "isort")}, settled=_selects_isort(ruff))


def _of_isort(isort: Table) -> ImportStyle:
    table = {key.replace("_", "-"): value for key, value in isort.items()}
    renamed = {
        "section-order": table.get("sections"),
        "relative-imports-order": "closest-to-furthest" if _flag(table.get("reverse-relative")) else "",
        "force-sort-within-sections": _flag(table.get("force-sort-within-sections"))
        or table.get("profile") in _SORTED_IN_SECTIONS,
        "known-local-folder": table.get("known-localfolder", table.get("known-local-folder")),
        "extra-standard-library": table.get("extra-standard-library"),
    }
    if table.get("profile") == "pycharm":
        table.setdefault("lines-after-imports", 2)
    return _style({**table, **renamed}, settled=True)


def _style(table: Table, *, settled: bool) -> ImportStyle:
    own = {section: _words(table.get(f"known-{section}")) for section in SECTIONS[1:]}
    own["standard-library"] += _words(table.get("extra-standard-library"))
    order = tuple(_section(name) for name in _words(table.get("section-order")))
    return ImportStyle(
        settled,
        sections=not _flag(table.get("no-sections")),
        order=(*order, *(section for section in SECTIONS if section not in order)),
        known={section: words for section, words in own.items() if words},
        default=_section(str(table.get("default-section", "third-party"))),
        mixed=_flag(table.get("force-sort-within-sections")),
        from_first=_flag(table.get("from-first")),
        closest_first=table.get("relative-imports-order") == "closest-to-furthest",
        lines_between_types=_number(table.get("lines-between-types"), 0),
        lines_after=_number(table.get("lines-after-imports"), -1),
        joined=frozenset(_section(name) for name in _words(table.get("no-lines-before"))),
    )


def _section(name: str) -> str:
    return _ISORT_SECTIONS.get(name, name)


def _words(value: object) -> tuple[str, ...]:
    """A list in a configuration; in an INI file, a text separated by commas or line breaks."""
    if isinstance(value, str):
        return tuple(value.replace(",", " ").split())
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def _flag(value: object) -> bool:
    return value is True or str(value).lower() in ("true", "1", "yes", "on", "t", "y")


def _roots(base: str, ruff: Table, isort: Table) -> tuple[str, ...]:
    """The source roots, whose modules are the project's own: the root and ``src``, unless others are configured."""
    named = _words(isort.get("src_paths", isort.get("src-paths"))) or _words(ruff.get("src")) or (".", "src")
    return tuple((PurePosixPath(base) / name).as_posix() for name in named if ".." not in PurePosixPath(name).parts)
