"""Which files of a project come to one of its servers: by importing it, or by naming what starts it.

A look at the text, and on purpose a generous one: whoever asks wants to know which tests may be about a server, and a
file too many costs a sentence, one too few a broken test.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import PurePosixPath

_FROM = rb"(?m)^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]*(\([^()]*\)|[^\n]*)"
_IMPORT = rb"(?m)^[ \t]*import[ \t]+([^\n]*)"
_PLUGINS = rb"pytest_plugins\b[^\n=]{0,200}=[ \t]*(\[[^\[\]]*\]|\([^()]*\)|[^\n]*)"
_SCRIPT = re.compile(rb"""(?<![\w.-])([\w.-]+)["']?[ \t]*=[ \t]*["']?([\w.]+):\w""")
_SHELVES = frozenset({"src", "lib", "python"})
"""Folders that hold packages and are none themselves, where there is one below them."""
_TEST_FOLDERS = frozenset({"test", "tests", "testing"})

Modules = Mapping[str, frozenset[tuple[str, ...]]]
"""What each file imports: dotted names as parts, those of relative imports from the top."""


def reaching(server: str, texts: Mapping[str, bytes], build_files: Iterable[bytes]) -> frozenset[str]:
    """Those of ``texts`` (Python files of one project, relative to it, with their bytes) that come to ``server``.

    ``build_files`` are the texts in which console scripts may stand.  A server at the top of its project has no name
    that would tell it from everything else, so all files come to it; so does everything where there is nothing else
    that files could be about.
    """
    top = top_of(server)
    if not top or all(_is_about(path, top) for path in texts):
        return frozenset(texts)
    modules = {path: frozenset(_imports(path, raw)) for path, raw in texts.items()}
    scripts = [match.groups() for raw in build_files for match in _SCRIPT.finditer(raw)]
    found = {path for path in texts if path.startswith(f"{top}/")} | _importers_by_root(server, modules)
    names = {PurePosixPath(top).name}
    while True:
        names |= _names_of(found, top, scripts)
        mention = _mention(names)
        more = {path for path, raw in texts.items() if path not in found and mention.search(raw)}
        ends = _ends(found)
        more |= {path for path in texts if path not in found and not ends.isdisjoint(modules[path])}
        more |= {path for path in texts if path not in found and _has_conftest(path, found)}
        if not more:
            return frozenset(found | _helpers(found, modules, texts))
        found |= more


def _helpers(found: Collection[str], modules: Modules, texts: Mapping[str, bytes]) -> set[str]:
    """The test files that those which come to a server import, run, or have above them: they are handed the server."""
    helpers: set[str] = set()
    users = {path for path in found if is_test(path)}
    while users:
        wanted = {module for path in users for module in modules[path]}
        above = {conftest for path in users for conftest in _conftests(path)}
        named = {name for path in users for name in re.findall(rb"(?<!\w)\w+\.py\b", texts[path])}
        others = [path for path in texts if is_test(path) and path not in found and path not in helpers]
        users = {
            path
            for path in others
            if path in above or not wanted.isdisjoint(_ends((path,))) or os.fsencode(PurePosixPath(path).name) in named
        }
        helpers |= users
    return helpers


def top_of(server: str) -> str:
    """The outermost folder of a server that has a name of its own; empty for a file at the top."""
    folders = PurePosixPath(server).parts[:-1]
    shelves = 0
    while shelves < len(folders) - 1 and folders[shelves] in _SHELVES:
        shelves += 1
    return "/".join(folders[: shelves + 1])


def _is_about(path: str, top: str) -> bool:
    """Whether a file is the server's, a test, or one that only builds the project."""
    return path.startswith(f"{top}/") or is_test(path) or path in ("setup.py", "noxfile.py")


@cache
def is_test(path: str) -> bool:
    """Whether a path is that of a test, by the conventions of pytest and unittest."""
    file = PurePosixPath(path)
    named = file.name == "conftest.py" or file.stem.startswith("test_") or file.stem.endswith("_test")
    return named or bool(_TEST_FOLDERS & set(file.parts[:-1]))


# --- imports ----------------------------------------------------------------------------------------------------------


def _imports(path: str, raw: bytes) -> Iterator[tuple[str, ...]]:
    """The modules, or modules and names in them, that a file imports anywhere."""
    folders = PurePosixPath(path).parts[:-1]
    for dotted, names in re.findall(_FROM, raw):
        level = len(dotted) - len(dotted.lstrip(b"."))
        base = folders[: len(folders) - level + 1] if level else ()
        module = (*base, *_parts(dotted))
        yield module
        yield from ((*module, name) for name in re.findall(r"\w+", names.decode("utf-8", "replace")))
    for names in re.findall(_IMPORT, raw):
        yield from (_parts(name) for name in re.findall(rb"[\w.]+", names))
    for names in re.findall(_PLUGINS, raw):
        yield from (_parts(name) for name in re.findall(rb"[\w.]+", names))


def _parts(dotted: bytes) -> tuple[str, ...]:
    return tuple(part for part in dotted.decode("utf-8", "replace").split(".") if part)


def _module(path: str) -> tuple[str, ...]:
    parts = PurePosixPath(path).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def _ends(files: Iterable[str]) -> set[tuple[str, ...]]:
    """The names by which files may be imported, whatever folder is on the path."""
    return {parts[-count:] for path in files if (parts := _module(path)) for count in range(1, len(parts) + 1)}


def _importers_by_root(server: str, modules: Modules) -> set[str]:
    """The files that import the server by its own name, or by that of any folder above it."""
    place = PurePosixPath(server)
    roots = {*place.parts[:-1], place.stem} - {"__init__", "__main__"}
    return {path for path, imported in modules.items() if any(module and module[0] in roots for module in imported)}


# --- names in texts ---------------------------------------------------------------------------------------------------


def _names_of(found: Iterable[str], top: str, scripts: Sequence[tuple[bytes, ...]]) -> set[str]:
    """By what a text may name the files that were found: console scripts, and modules for ``python -m``."""
    programs = [path for path in found if not is_test(path) and not path.startswith(f"{top}/")]
    names = {PurePosixPath(path).name for path in programs} - {"__init__.py", "__main__.py"}
    for parts in map(_unshelved, map(_module, programs)):
        names.add(".".join(parts[:-1] if parts[-1] == "__main__" else parts))
    ends, package = _ends(found), PurePosixPath(top).name
    for script, module in scripts:
        if _parts(module) in ends or _parts(module)[:1] == (package,):
            names.add(script.decode("utf-8", "replace"))
    return names


def _unshelved(parts: tuple[str, ...]) -> tuple[str, ...]:
    return parts[1:] if len(parts) > 1 and parts[0] in _SHELVES else parts


def _mention(names: Iterable[str]) -> re.Pattern[bytes]:
    alternatives = "|".join(re.escape(name) for name in sorted(names) if name)
    return re.compile(os.fsencode(rf"(?<!\w)(?:{alternatives})(?!\w)"))


# --- what pytest adds -------------------------------------------------------------------------------------------------


def _has_conftest(path: str, found: Collection[str]) -> bool:
    """Whether what a test gets from the ``conftest.py`` of a folder above it comes to the server."""
    return is_test(path) and not _conftests(path).isdisjoint(found)


def _conftests(path: str) -> set[str]:
    return {(folder / "conftest.py").as_posix() for folder in PurePosixPath(path).parents}
