"""Find files that may make a server of a class derived or renamed in another file: such a file need not name any SDK.

Like the gates of discovery, this looks at bytes and parses nothing.  It may find a file that makes no server, and reads
the tree a second time only if some class is derived from a server class.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from pdmigrate import disk
from pdmigrate.sdk.families import CLASS_NAMES, DECORATED_NAMES, IMPORTED, alternation
from pdmigrate.source.discover import gated

_SDK_CLASSES = frozenset(name.encode() for name in CLASS_NAMES)
_RENAMED_DECORATED = re.compile(rb"\b%s[ \t]+as[ \t]+(\w+)" % alternation(DECORATED_NAMES))
_RENAMED = re.compile(rb"\b%s[ \t]+as[ \t]+(\w+)" % alternation(CLASS_NAMES))
_CLASS = re.compile(rb"(?m)^[ \t]*class[ \t]+(\w+)[ \t]*(?:\[[^\[\]]*\][ \t]*)?\(([^()]*)\)[ \t]*:")
_SDK_IMPORT = re.compile(
    rb"(?m)^[ \t]*from[ \t]+%s\b[\w.]*[ \t]+import[ \t]*(\([^()]*\)|[^\n]*)" % alternation(sorted(IMPORTED))
)
_WORD = re.compile(rb"\w+")
_REGISTERED = re.compile(rb"(?m)^[ \t]*@(\w+)\.tool\b")


def making(root: Path, files: tuple[str, ...], candidates: tuple[str, ...]) -> tuple[str, ...]:
    """The files that may make servers, sorted.

    ``candidates`` are those of ``files`` that name an SDK themselves.  If a file found so far derives a class from a
    server class, imports one under another name or hands one on, the files that call, rename or derive from that class
    are added, until no file is new.
    """
    found = set(candidates)
    known: set[bytes] = set()
    fresh = found
    while fresh:
        derived = _derived(root, fresh, known) - known
        known |= derived
        fresh = set(_users(root, files, derived)) - found
        found = found | fresh
    return tuple(sorted(found))


def renamed_in(root: Path, files: Iterable[str]) -> Iterator[str]:
    """The names under which these files import a class of a decorated family."""
    for path in files:
        yield from (name.decode() for name in _RENAMED_DECORATED.findall(disk.content_or_empty(root, path)))


def registrations(root: Path, files: tuple[str, ...]) -> Iterator[tuple[str, int, str]]:
    """For each file that has one, the first ``@NAME.tool`` decorator: the path, the line and ``NAME``."""
    for path in gated(root, files, (b".tool",)):
        raw = disk.content_or_empty(root, path)
        if match := _REGISTERED.search(raw):
            yield path, raw.count(b"\n", 0, match.start(1)) + 1, match.group(1).decode()


def _derived(root: Path, files: Iterable[str], known: Collection[bytes]) -> set[bytes]:
    """The classes that these files derive from server classes, import under another name or hand on."""
    derived: set[bytes] = set()
    for path in files:
        raw = disk.content_or_empty(root, path)
        derived |= {*_RENAMED_DECORATED.findall(raw), *_handed_on(raw)}
        servers = {*_SDK_CLASSES, *known, *_RENAMED.findall(raw)}
        for name, bases in _CLASS.findall(raw):
            if servers.intersection(_WORD.findall(bases)):
                servers.add(name)
                derived.add(name)
    return derived


def _handed_on(raw: bytes) -> list[bytes]:
    """The server classes that a file imports and does not call: other files may call them under its name."""
    imported = {word for line in _SDK_IMPORT.findall(raw) for word in _WORD.findall(line)} & _SDK_CLASSES
    return [
        name for name in sorted(imported) if not re.search(rb"\b%s(?:\[[^\[\]]*\])?[ \t]*\(" % re.escape(name), raw)
    ]


def _users(root: Path, files: tuple[str, ...], derived: set[bytes]) -> Iterator[str]:
    if not derived:
        return
    names = b"|".join(map(re.escape, sorted(derived)))
    called = re.compile(rb"(?<!class )\b(?:" + names + rb")(?:[ \t]*\(|[ \t]+as[ \t])")
    for path in gated(root, files, tuple(sorted(derived))):
        raw = disk.content_or_empty(root, path)
        if called.search(raw) or any(derived.intersection(_WORD.findall(bases)) for _, bases in _CLASS.findall(raw)):
            yield path
