"""The files of a project that reach one of its servers: by importing it, or by naming what starts it.

The search is generous on purpose: it finds tests that may concern a server.  A file too many costs one sentence in the
output, a file too few a broken test.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import PurePosixPath
from typing import TypeVar

_FROM = rb"(?m)^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]*(\([^()]*\)|[^\n]*)"
_IMPORT = rb"(?m)^[ \t]*import[ \t]+([^\n]*)"
_PLUGINS = rb"pytest_plugins\b[^\n=]{0,200}=[ \t]*(\[[^\[\]]*\]|\([^()]*\)|[^\n]*)"
_SCRIPT = re.compile(rb"""(?<![\w.-])([\w.-]+)["']?[ \t]*=[ \t]*["']?([\w.]+):\w""")
_SHELVES = frozenset({"src", "lib", "python"})
"""Folders that hold packages without being packages themselves, if there is a folder below them."""
_TEST_FOLDERS = frozenset({"test", "tests", "testing"})

Key = TypeVar("Key")
Modules = Mapping[str, frozenset[tuple[str, ...]]]
"""The imports of each file: dotted names as tuples of parts; relative imports are resolved to paths from the root."""


class Texts:
    """The Python files of one project (relative to it, with their bytes), and their references to each other.

    Each lookup is done once, however many servers the project has.  ``build_files`` are texts that may define console
    scripts.
    """

    def __init__(self, texts: Mapping[str, bytes], build_files: Iterable[bytes]) -> None:
        self.texts = texts
        self.scripts = [match.groups() for raw in build_files for match in _SCRIPT.finditer(raw)]
        self._naming: dict[str, frozenset[str]] = {}

    @cached_property
    def modules(self) -> Modules:
        return {path: frozenset(_imports(path, raw)) for path, raw in self.texts.items()}

    @cached_property
    def importing(self) -> Mapping[tuple[str, ...], set[str]]:
        """The files that import a module, by module."""
        return _inverted(self.modules)

    @cached_property
    def importing_from(self) -> Mapping[str, set[str]]:
        """The files that import names with a given first part, by that part."""
        return _inverted({path: {module[0] for module in found if module} for path, found in self.modules.items()})

    @cached_property
    def tests(self) -> tuple[str, ...]:
        return tuple(path for path in self.texts if is_test(path))

    @cached_property
    def below(self) -> Mapping[str, set[str]]:
        """The tests that share the fixtures of a ``conftest.py``, by its path."""
        return _inverted({path: _conftests(path) for path in self.tests})

    @cached_property
    def _words(self) -> Mapping[bytes, set[str]]:
        """The files that contain a word, by that word, for all words in paths and in the names of scripts."""
        named = [*map(os.fsencode, self.texts), *(name for name, _ in self.scripts)]
        wanted = {word for name in named for word in _split(name)}
        return _inverted({path: wanted.intersection(_split(raw)) for path, raw in self.texts.items()})

    def naming(self, name: str) -> frozenset[str]:
        """The files that contain ``name`` (of a file, module or script) other than as part of a longer word."""
        known = self._naming.get(name)
        if known is None:
            needle = os.fsencode(name)
            alone = re.compile(rb"(?<!\w)" + re.escape(needle) + rb"(?!\w)")
            # Few files contain all words of a name; searching every file for every name took most of the time.
            # Most of these do not contain the name, and a plain search shows that several times as fast as the pattern.
            having = [self._words.get(word, set()) for word in _split(needle)]
            texts = ((path, self.texts[path]) for path in (set.intersection(*having) if having else self.texts))
            known = frozenset(path for path, raw in texts if needle in raw and alone.search(raw))
            self._naming[name] = known
        return known


_BETWEEN_WORDS = bytes(char if re.match(rb"\w", bytes([char])) else ord(" ") for char in range(256))


def _split(text: bytes) -> list[bytes]:
    """The words of a text, in a tenth of the time that ``re.findall`` takes."""
    return text.translate(_BETWEEN_WORDS).split()


def _inverted(said: Mapping[str, Iterable[Key]]) -> Mapping[Key, set[str]]:
    found: dict[Key, set[str]] = defaultdict(set)
    for path, keys in said.items():
        for key in keys:
            found[key].add(path)
    return found


def reaching(server: str, project: Texts) -> frozenset[str]:
    """The files of a project that reach ``server``, a path in it.

    A server at the top of its project has no name that would distinguish it, so all files reach it; so do all files of
    a project that has no other code than the server's.
    """
    top, texts = top_of(server), project.texts
    if not top or all(_is_about(path, top) for path in texts):
        return frozenset(texts)
    found: set[str] = set()
    asked: set[str] = set()
    names = {PurePosixPath(top).name}
    new = {path for path in texts if path.startswith(f"{top}/")}.union(
        *(project.importing_from.get(root, ()) for root in _roots(server))
    )
    while new or not asked:
        found |= new
        names |= _names_of(new, top, project.scripts)
        more = set[str]().union(
            *(project.naming(name) for name in names - asked if name),
            *(project.importing.get(end, ()) for end in _ends(new)),
            *(project.below.get(path, ()) for path in new),
        )
        asked |= names
        new = more - found
    return frozenset(found | _helpers(found, project))


def _helpers(found: Collection[str], project: Texts) -> set[str]:
    """Test files, not in ``found``, that its tests import, run, or have as ``conftest.py``: they may get the server."""
    helpers: set[str] = set()
    users = {path for path in found if is_test(path)}
    while users:
        wanted = {module for path in users for module in project.modules[path]}
        above = {conftest for path in users for conftest in _conftests(path)}
        named = {name for path in users for name in re.findall(rb"(?<!\w)\w+\.py\b", project.texts[path])}
        others = [path for path in project.tests if path not in found and path not in helpers]
        users = {
            path
            for path in others
            if path in above or not wanted.isdisjoint(_ends((path,))) or os.fsencode(PurePosixPath(path).name) in named
        }
        helpers |= users
    return helpers


def top_of(server: str) -> str:
    """The outermost folder around a server that is no shelf such as ``src``; empty for a file at the top."""
    folders = PurePosixPath(server).parts[:-1]
    shelves = 0
    while shelves < len(folders) - 1 and folders[shelves] in _SHELVES:
        shelves += 1
    return "/".join(folders[: shelves + 1])


def _is_about(path: str, top: str) -> bool:
    """Whether a file is the server's, a test, or serves only to build the project."""
    return path.startswith(f"{top}/") or is_test(path) or path in ("setup.py", "noxfile.py")


@cache
def is_test(path: str) -> bool:
    """Whether a path is that of a test, by the conventions of pytest and unittest."""
    *folders, name = path.split("/")  # without `PurePosixPath`, which takes ten times as long for thousands of files
    named = name == "conftest.py" or name.startswith("test_") or name.rpartition(".")[0].endswith("_test")
    return named or not _TEST_FOLDERS.isdisjoint(folders)


# --- imports ----------------------------------------------------------------------------------------------------------


def _imports(path: str, raw: bytes) -> Iterator[tuple[str, ...]]:
    """The modules that a file imports anywhere, also with the names that it imports from them."""
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


@cache
def _module(path: str) -> tuple[str, ...]:
    parts = PurePosixPath(path).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def _ends(files: Iterable[str]) -> set[tuple[str, ...]]:
    """The names by which files may be imported, whichever folder is in ``sys.path``."""
    return {parts[-count:] for path in files if (parts := _module(path)) for count in range(1, len(parts) + 1)}


def _roots(server: str) -> set[str]:
    """The first parts of names by which a server may be imported: its own name, and those of the folders above it."""
    place = PurePosixPath(server)
    return {*place.parts[:-1], place.stem} - {"__init__", "__main__"}


# --- names in texts ---------------------------------------------------------------------------------------------------


def _names_of(found: Iterable[str], top: str, scripts: Sequence[tuple[bytes, ...]]) -> set[str]:
    """The names by which a text may refer to ``found``: console scripts, files, and modules for ``python -m``."""
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


# --- what pytest adds -------------------------------------------------------------------------------------------------


@cache
def _conftests(path: str) -> frozenset[str]:
    return frozenset((folder / "conftest.py").as_posix() for folder in PurePosixPath(path).parents)
