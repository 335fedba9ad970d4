"""What a project requires, where it usually says so: build files, requirements files and ``fastmcp.json``."""

from __future__ import annotations

import ast
import configparser
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pdmigrate import disk
from pdmigrate.model import mapping
from pdmigrate.source.documents import read_json, read_toml

if TYPE_CHECKING:
    from packaging.requirements import Requirement

LARGEST_TOML = 8_000_000
"""More bytes than any lock file has, and still parsed in seconds."""
MOST_PARSED = 32
"""The most project files that are remembered: the folders around one server have far fewer."""
_MOST_INCLUDED = 20


class Folder(NamedTuple):
    """A folder of a project: ``inner`` below ``root``, or ``root`` itself."""

    root: Path
    inner: str = ""

    def path(self, name: str) -> str:
        """The path of ``name`` in the folder, relative to the root."""
        return posixpath.join(self.inner, name)


def parsed(lines: Iterable[str]) -> Iterator[Requirement]:
    from packaging.requirements import InvalidRequirement, Requirement

    for text in lines:
        try:
            yield Requirement(text)
        except InvalidRequirement:
            continue  # a line of a requirements file may be an option or a path; neither names an SDK version


def requirement_lines(folder: Folder) -> Iterator[str]:
    """The requirements of a folder's files, those of the project before those of extras, with lines that are none."""
    pyproject = toml_of(folder.root, folder.path("pyproject.toml"))
    project, tool = _table(pyproject, "project"), _table(pyproject, "tool")
    poetry = _table(tool, "poetry")
    yield from _texts(project.get("dependencies"))
    yield from _by_name(_table(poetry, "dependencies"))
    yield from _of_setuptools(folder)
    yield from _of_files(folder)
    for table in (_table(project, "optional-dependencies"), _table(pyproject, "dependency-groups")):
        for lines in table.values():
            yield from _texts(lines)
    for group in _table(poetry, "group").values():
        yield from _by_name(_table(group, "dependencies"))


def _table(outer: Any, name: str) -> dict[str, Any]:
    return mapping(mapping(outer).get(name))


def _texts(lines: Any) -> Iterator[str]:
    yield from (line for line in lines if isinstance(line, str)) if isinstance(lines, list) else ()


def _by_name(table: Mapping[str, Any]) -> Iterator[str]:
    """Requirements of a table from names to constraints, as Poetry writes them."""
    for name, value in table.items():
        given = value.get("version", "") if isinstance(value, dict) else value
        yield f"{name}{poetry_specifier(given)}" if isinstance(given, str) else name


def _of_setuptools(folder: Folder) -> Iterator[str]:
    """The requirements in ``setup.cfg``, and in ``setup.py`` as far as ``install_requires`` is written as a list."""
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(_text(folder, "setup.cfg"))
        lines = parser.get("options", "install_requires", fallback="")
        extras = parser["options.extras_require"].values() if parser.has_section("options.extras_require") else ()
        yield from (line.strip() for text in (lines, *extras) for line in re.split(r"[\n;]", text))
        tree = ast.parse(_text(folder, "setup.py"))
    except (configparser.Error, SyntaxError, ValueError, RecursionError):
        return  # setuptools reports that
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "install_requires" and isinstance(node.value, ast.List):
            yield from _texts([item.value for item in node.value.elts if isinstance(item, ast.Constant)])


def _of_files(folder: Folder) -> Iterator[str]:
    """The lines of requirements files, with those that they include, and of what ``fastmcp.json`` names."""
    beside = disk.names(folder.root, folder.inner)
    named = [name for name in beside if re.fullmatch(r"requirements.*\.(?:txt|in)", name)]
    inner = [f"requirements/{name}" for name in disk.names(folder.root, folder.path("requirements"))]
    environment = _table(json_of(folder.root, folder.path("fastmcp.json")), "environment")
    yield from _texts(environment.get("dependencies"))
    if isinstance(environment.get("requirements"), str):
        named.insert(0, environment["requirements"])
    seen: list[str] = []
    waiting = [posixpath.normpath(name) for name in (*named, *inner) if name.endswith((".txt", ".in"))]
    while waiting and len(seen) < _MOST_INCLUDED:
        name = waiting.pop(0)
        if name in seen or name.startswith(("..", "/")):
            continue
        seen.append(name)
        for line in _text(folder, name).splitlines():
            if included := re.match(r"\s*(?:-r|--requirement|-c|--constraint)[ =]*([^\s#]+)", line):
                waiting.append(posixpath.normpath(posixpath.join(posixpath.dirname(name), included[1])))
            yield re.split(r"(?:^|\s)#|\\|\s--hash", line)[0].strip()


def _text(folder: Folder, name: str) -> str:
    return disk.content_or_empty(folder.root, folder.path(name), LARGEST_TOML).decode("utf-8", "replace")


def poetry_specifier(text: str) -> str:
    """A constraint of Poetry as a standard specifier: ``^1.2`` and ``~1.2`` become ranges, ``1.2`` becomes a pin.

    By Poetry's documentation ("Dependency specification"): a caret keeps the first number that is not zero, and a tilde
    the minor version, or the major version where no other is given.
    """
    return ",".join(filter(None, map(_poetry_clause, text.split(","))))


def _poetry_clause(clause: str) -> str:
    text = clause.strip()
    if match := re.fullmatch(r"([\^~])\s*(\d+(?:\.\d+)*)(\S*)", text):
        numbers = [int(number) for number in match[2].split(".")]
        kept = min(1, len(numbers) - 1)
        if match[1] == "^":
            kept = next((at for at, number in enumerate(numbers) if number), len(numbers) - 1)
        end = ".".join(map(str, (*numbers[:kept], numbers[kept] + 1)))
        return f">={match[2]}{match[3]},<{end}"
    return "" if text in ("", "*") else f"=={text}" if text[0].isdigit() else text


def toml_of(root: Path, path: str, cut: Callable[[bytes], bytes] = bytes) -> dict[str, Any]:
    """The tables that ``cut`` leaves of a file; empty if it is absent or not TOML (its own tools report that)."""
    try:
        return mapping(_parsed(read_toml, cut(disk.read(root, path, LARGEST_TOML))))
    except (OSError, ValueError):
        return {}


def json_of(root: Path, path: str) -> dict[str, Any]:
    try:
        return mapping(_parsed(read_json, disk.read(root, path)))
    except (OSError, ValueError):
        return {}


@lru_cache(maxsize=MOST_PARSED)
def _parsed(parse: Callable[[bytes], Any], raw: bytes) -> Any:
    """Cached by content: the file is read again for every file with a server, and a lock file may be huge."""
    return parse(raw)
