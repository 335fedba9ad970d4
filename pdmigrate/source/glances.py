"""What the text of every Python file of a tree shows without parsing, looked at once, however many servers ask.

A tree has thousands of files, few of which concern a server.  The stages ask here which do, and read no others.
Every answer is generous: it may name a file in vain, and leaves out none that matters.  What was seen of a file is kept
between runs (``glance_index.py``) for as long as the file stays as it is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from pdmigrate import disk
from pdmigrate.sdk.families import MENTIONS
from pdmigrate.source.glance_index import GlanceIndex

REGISTERS = re.compile(rb"\.(?:tool|add_tool|import_server|mount)\b")
_CLASS = re.compile(rb"class[ \t]+(\w+)[ \t]*(?:\[[^\[\]]{0,300}\][ \t]*)?\(([^:]{0,2000})\)[ \t]*:")
_IMPORT = re.compile(rb"import\b((?:[\w.,* \t\f\x80-\xff]|\\\n)*)(\((?:[^()#]|#[^\n]*\n)*\))?")
"""An import from its keyword on: a pattern that begins with a word is ten times as fast as one at a line's start."""
_FROM = re.compile(rb"\bfrom\b")
_DOTTED = re.compile(rb"[\w.\s\x80-\xff]*\Z")
_WORD = re.compile(rb"[\w\x80-\xff]+|\*")
_PLAIN = re.compile(rb"\w+")
_FARTHEST = 300
"""How many bytes before its ``import`` a statement may begin."""
_MOST_OPEN = 20
"""The most unclear statements, such as those with an unclosed bracket, after which the search goes on."""


class Glance(NamedTuple):
    """What can be seen of one file without parsing it."""

    mcp: bool
    """Whether the file may name an SDK, or a server class of an SDK."""
    starts: bool
    """Whether the file may be a script, or start a server."""
    relative: bool
    """Whether the file imports from its own package without naming the package."""
    opaque: bool
    """Whether the file may import names that ``words`` does not hold."""
    classes: dict[str, list[str]]
    """The file's classes that have bases, and the words in those bases."""
    imports: list[str]
    """The first names of the modules that are imported by absolute names."""
    words: list[str]
    """Every word of the file's import statements: modules, imported names, aliases."""


class Glances:
    """Glances at the Python files below ``root``; questions about all files are about ``files``."""

    def __init__(self, root: Path, files: tuple[str, ...] = (), index: GlanceIndex | None = None) -> None:
        self.root = root
        self.files = files
        self._index = index
        self._known: dict[str, Glance | None] = {}
        self._digests: dict[str, str] = {}

    def at(self, path: str) -> Glance | None:
        """The glance at a file; ``None`` if it cannot be read, which the stage that reads it reports."""
        if path not in self._known:
            self._known[path] = self._look(path)
        return self._known[path]

    def _look(self, path: str) -> Glance | None:
        if self._index is not None and (known := self._index.known(path)) is not None:
            self._digests[path], seen = known
            return Glance._make(seen)
        try:
            raw = disk.read(self.root, path)
        except OSError:
            return None
        self._digests[path] = disk.digest(raw)
        found = glance(raw)
        if self._index is not None:
            self._index.add(path, raw, list(found))
        return found

    @cached_property
    def digest(self) -> str:
        """A digest of the paths and contents of ``files``: while it is the same, none of them has changed."""
        return disk.digest(repr([(path, self.at(path) and self._digests[path]) for path in self.files]).encode())

    def keep(self) -> None:
        """Save what was seen for the next run."""
        if self._index is not None:
            self._index.save()

    @cached_property
    def of_mcp(self) -> tuple[str, ...]:
        """The files that may name an SDK, and those that cannot be read."""
        return tuple(path for path in self.files if (found := self.at(path)) is None or found.mcp)

    @cached_property
    def relative(self) -> frozenset[str]:
        """The files that import from their own package without naming the package."""
        return frozenset(path for path in self.files if (found := self.at(path)) is not None and found.relative)

    def holding(self, *words: str) -> set[str]:
        """The files that may have one of these words in an import statement; ``*`` counts as a word."""
        found = set(self._by_word.get("", ()))
        for word in words:
            found |= self._by_word.get(word, set()) if word.isascii() else set(self.files)
        return found

    def importing(self, path: str) -> set[str]:
        """The files that may import the module at ``path``: found on their way, or by its package."""
        file = PurePosixPath(path)
        package = file.parent.as_posix() if file.name == "__init__.py" else ""
        module = PurePosixPath(package) if package else file
        found = {one for one in self.holding(module.stem) if self._may_reach(one, module.parent)}
        return found | {one for one in (self.relative if package else ()) if one.startswith(f"{package}/")}

    def _may_reach(self, path: str, folder: PurePosixPath) -> bool:
        """Whether a file may import from a folder: one above its own or ``src`` in such a one, or one that it names."""
        above = folder.parent if folder.name == "src" else folder
        if not folder.name or path.startswith((f"{folder}/", "" if above.name == "" else f"{above}/")):
            return True
        seen = self.at(path)
        return seen is None or seen.opaque or not folder.name.isascii() or folder.name in seen.words

    @cached_property
    def _by_word(self) -> dict[str, set[str]]:
        """The files by the words of their import statements; opaque files also stand under the empty word."""
        found: dict[str, set[str]] = defaultdict(set)
        for path in self.files:
            if (seen := self.at(path)) is not None:
                for word in seen.words:
                    found[word].add(path)
                if seen.opaque:
                    found[""].add(path)
        return dict(found)


def glance(raw: bytes) -> Glance:
    """What can be seen of a file with this content."""
    classes = _classes(raw)
    raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in raw else raw
    statements, opaque = _statements(raw)
    imports: set[str] = set()
    words: set[bytes] = set()
    relative = False
    for head, tail in statements:
        if (module := _origin(head)) is None:
            imports.update(_text(part) for part in map(_first, tail.split(b",")))
        elif module.startswith(b"."):
            relative = True
        else:
            imports.add(_text(_first(module)))
        words.update(_WORD.findall(head), _WORD.findall(tail))
    return Glance(
        mcp=any(word in raw for word in MENTIONS),
        starts=b"__main__" in raw or b".run" in raw,
        relative=relative,
        opaque=opaque,
        classes=classes,
        imports=sorted(name for name in imports if name.isidentifier()),
        words=sorted({_text(word) for word in words if word != b"import"}),
    )


def _classes(raw: bytes) -> dict[str, list[str]]:
    """The classes whose ``class`` begins a line, with the words of their bases (for the pattern, see ``_IMPORT``)."""
    found: dict[str, set[str]] = {}
    match = _CLASS.search(raw)
    while match is not None:
        before = raw[raw.rfind(b"\n", max(0, match.start() - _FARTHEST), match.start()) + 1 : match.start()]
        is_first = not before.strip(b" \t")
        if is_first:
            found.setdefault(match[1].decode(), set()).update(word.decode() for word in _PLAIN.findall(match[2]))
        match = _CLASS.search(raw, match.end() if is_first else match.start() + 1)
    return {name: sorted(words) for name, words in found.items()}


def _statements(raw: bytes) -> tuple[list[tuple[bytes, bytes]], bool]:
    """The text before and after each ``import``, also where that is no statement, and whether there may be more."""
    found = []
    unclear = 0
    match = _IMPORT.search(raw)
    while match is not None:
        farthest = max(0, match.start() - _FARTHEST)
        before = raw[farthest : match.start()].replace(b"\\\n", b"  ")
        beginning = before.rfind(b"\n") + 1
        inside, following = match[2] or b"", match.end()
        if before[-1:].isalnum() or before[-1:] == b"_" or before[-1:] > b"\x7f":
            following = match.start(1)  # ``import`` is the end of a longer name
        else:
            found.append((before[beginning:], match[1] + inside))
            if b"import" in inside or (not inside and raw.startswith(b"(", following)):
                # The bracket may belong to no statement, and may hold statements.
                unclear, following = unclear + 1, match.end(1)
            elif not beginning and farthest:
                unclear += 1
        if unclear > _MOST_OPEN:
            break
        match = _IMPORT.search(raw, following)
    return found, unclear > 0


def _origin(head: bytes) -> bytes | None:
    """The module of a ``from`` statement, from the text before its ``import``; ``None`` for a plain ``import``."""
    origins = list(_FROM.finditer(head))
    rest = head[origins[-1].end() :].replace(b"\\", b" ").strip() if origins else b""
    return rest if rest and _DOTTED.match(rest) else None


def _first(dotted: bytes) -> bytes:
    return word[0] if (word := _WORD.search(dotted)) else b""


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
