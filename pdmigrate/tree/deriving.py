"""Files that may make a server of a class derived or renamed elsewhere: they need not say a word of any SDK.

Like the gates of discovery this looks at bytes and parses nothing; it may name a file in vain, and costs a second look
at the tree only where a class is derived from a server class at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pdmigrate import disk
from pdmigrate.families import CLASS_NAMES, DECORATED_NAMES, FAMILIES, Family, alternation, firing
from pdmigrate.tree.discover import gated

_SDK_CLASSES = frozenset(name.encode() for name in CLASS_NAMES)
_RENAMED_DECORATED = re.compile(rb"\b%s[ \t]+as[ \t]+(\w+)" % alternation(DECORATED_NAMES))
_RENAMED = re.compile(rb"\b%s[ \t]+as[ \t]+(\w+)" % alternation(CLASS_NAMES))
_CLASS = re.compile(rb"(?m)^[ \t]*class[ \t]+(\w+)[ \t]*(?:\[[^\[\]]*\][ \t]*)?\(([^()]*)\)[ \t]*:")
_WORD = re.compile(rb"\w+")
_REGISTERED = re.compile(rb"(?m)^[ \t]*@(\w+)\.tool\b")


def families(root: Path, files: tuple[str, ...], candidates: tuple[str, ...]) -> dict[str, tuple[Family, ...]]:
    """The files that may make servers, sorted, each with the families they may be of.

    ``candidates`` are those of ``files`` that name an SDK themselves; with them go the files that call, or derive from,
    a class that is derived from a server class in one of these, or in a file found in this way, and those that call
    one by the name that such a file imports it under.
    """
    found = {path: tuple(firing(_bytes(root, path))) for path in candidates}
    known: dict[bytes, tuple[Family, ...]] = {}
    fresh = dict(found)
    while fresh:
        derived = {name: entry for name, entry in _derived(root, fresh, known).items() if name not in known}
        known |= derived
        # A file may have a family by a part of a name alone, as one that calls ``MyMCPServer`` does.
        used = {path: _both(found.get(path, ()), entries) for path, entries in _users(root, files, derived)}
        fresh = {path: entries for path, entries in used.items() if entries != found.get(path)}
        found |= fresh
    return dict(sorted(found.items()))


def renamed_in(root: Path, files: Iterable[str]) -> Iterator[str]:
    """The names that these files give to a class of a decorated family where they import it."""
    for path in files:
        yield from (name.decode() for name in _RENAMED_DECORATED.findall(_bytes(root, path)))


def registrations(root: Path, files: tuple[str, ...]) -> Iterator[tuple[str, int, str]]:
    """Where a decorator makes a function a tool of something: for each of ``files`` the first place, and its name."""
    for path in gated(root, files, (b".tool",)):
        raw = _bytes(root, path)
        if match := _REGISTERED.search(raw):
            yield path, raw.count(b"\n", 0, match.start(1)) + 1, match.group(1).decode()


def _derived(
    root: Path, files: Mapping[str, tuple[Family, ...]], known: Mapping[bytes, tuple[Family, ...]]
) -> dict[bytes, tuple[Family, ...]]:
    """The classes that these files derive from server classes, or import by another name, with the file's families."""
    derived: dict[bytes, tuple[Family, ...]] = {}
    for path, entries in files.items():
        raw = _bytes(root, path)
        derived |= dict.fromkeys(_RENAMED_DECORATED.findall(raw), entries)
        servers = {*_SDK_CLASSES, *known, *_RENAMED.findall(raw)}
        for name, bases in _CLASS.findall(raw):
            if servers.intersection(_WORD.findall(bases)):
                servers.add(name)
                derived[name] = entries
    return derived


def _users(
    root: Path, files: tuple[str, ...], derived: Mapping[bytes, tuple[Family, ...]]
) -> list[tuple[str, tuple[Family, ...]]]:
    """The files that call, rename or derive from one of these classes, with the families of all those that they use."""
    if not derived:
        return []
    names = b"|".join(map(re.escape, sorted(derived)))
    called = re.compile(rb"(?<!class )\b(" + names + rb")(?:[ \t]*\(|[ \t]+as[ \t])")
    users: list[tuple[str, tuple[Family, ...]]] = []
    for path in gated(root, files, tuple(derived)):
        raw = _bytes(root, path)
        bases = {word for _, named in _CLASS.findall(raw) for word in _WORD.findall(named)}
        used = [*called.findall(raw), *sorted(bases & derived.keys())]
        entries = [entry for name in used for entry in derived[name]]
        if entries:
            users.append((path, tuple(entries)))
    return users


def _both(some: tuple[Family, ...], more: tuple[Family, ...]) -> tuple[Family, ...]:
    """The families of both, in their order in the table."""
    return tuple(entry for entry in FAMILIES if entry in some or entry in more)


def _bytes(root: Path, path: str) -> bytes:
    try:
        return disk.read(root, path)
    except OSError:
        return b""  # whoever wants what is in it says that it cannot be read
