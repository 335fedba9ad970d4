"""What a project's configuration says of new lines: their length, and which modules are its own.

New lines are laid out as ruff and black do it.  Where a project's formatter or import sorter is set to something else,
it is run afterwards, as it is after any edit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, TypeAlias

from pdmigrate.model import mapping
from pdmigrate.source.documents import toml_or_empty

Table: TypeAlias = Mapping[str, Any]

FILES = ("pyproject.toml", "ruff.toml", ".ruff.toml")
"""The files in which a project may configure how its code is laid out."""


@dataclass(frozen=True, slots=True)
class Style:
    """The style of new lines in one file.

    ``first_party`` are the modules and folders in the project's source roots; ``settled`` says whether a tool of the
    project sorts imports by that.
    """

    width: int = 88
    first_party: frozenset[str] = frozenset()
    settled: bool = False


DEFAULT = Style()


def style_of(configs: Sequence[tuple[str, Mapping[str, bytes]]], modules: Callable[[str], Iterable[str]]) -> Style:
    """The style of the files in one folder.

    Args:
        configs: folders relative to the root, the nearest first, each with those of ``FILES`` that it holds.
        modules: gives the names of the modules and folders in a source root.
    """
    tools = [_tools(files) for _, files in configs]
    folders = [(folder, tables) for (folder, _), tables in zip(configs, tools, strict=True) if tables]
    sorting = (folder for folder, tables in folders if "ruff" in tables or "isort" in tables)
    base = next(sorting, folders[0][0] if folders else "")
    roots = dict.fromkeys((PurePosixPath(base).as_posix(), (PurePosixPath(base) / "src").as_posix()))
    return Style(
        _width(tools),
        frozenset(name for root in roots for name in modules(root)),
        any("isort" in tables or _sorts(tables.get("ruff", {})) for tables in tools),
    )


def _sorts(ruff: Table) -> bool:
    tables = (ruff, mapping(ruff.get("lint")))
    chosen = (table[key] for table in tables for key in ("select", "extend-select") if key in table)
    codes = [str(code) for codes in chosen if isinstance(codes, list) for code in codes]
    return any(code == "ALL" or re.fullmatch(r"I\d*", code) for code in codes)


def _tools(files: Mapping[str, bytes]) -> dict[str, Table]:
    """The tables of one folder's configuration, by the name of the tool; files that cannot be parsed are skipped."""
    tools = mapping(toml_or_empty(files.get("pyproject.toml", b"")).get("tool"))
    found: dict[str, Table] = {tool: table for tool, table in tools.items() if isinstance(table, dict)}
    for name in ("ruff.toml", ".ruff.toml"):
        if name in files:
            found["ruff"] = toml_or_empty(files[name])
    return found


def _width(tools: Sequence[Mapping[str, Table]]) -> int:
    """The line length: black's if black is configured and ruff's formatter is not, else ruff's."""
    ruff, black = (next((tables[name] for tables in tools if name in tables), None) for name in ("ruff", "black"))
    chosen = (ruff or {}) if black is None or (ruff and "format" in ruff) else black
    width = chosen.get("line-length", chosen.get("line_length"))
    return width if isinstance(width, int) and width > 0 else DEFAULT.width
