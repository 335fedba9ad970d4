"""Find files that may make a server of a class derived or renamed in another file: such a file need not name any SDK.

Like the gates of discovery, this looks at bytes and parses nothing.  It may find a file that makes no server, and reads
the tree a second time only if some class is derived from a server class.
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
_SDK_IMPORT = re.compile(rb"(?m)^[ \t]*from[ \t]+(?:mcp|fastmcp)\b[\w.]*[ \t]+import[ \t]*(\([^()]*\)|[^\n]*)")
_WORD = re.compile(rb"\w+")
_REGISTERED = re.compile(rb"(?m)^[ \t]*@(\w+)\.tool\b")


def families(root: Path, files: tuple[str, ...], candidates: tuple[str, ...]) -> dict[str, tuple[Family, ...]]:
    """The files that may make servers, sorted, each with the families that its servers may be of.

    ``candidates`` are those of ``files`` that name an SDK themselves.  If a file found so far derives a class from a
    server class, or imports one under another name, the files that call, rename or derive from that class are added,
    until no file is new.
    """
    found = {path: tuple(firing(_bytes(root, path))) for path in candidates}
    known: dict[bytes, tuple[Family, ...]] = {}
    fresh = dict(found)
    while fresh:
        derived = {name: entry for name, entry in _derived(root, fresh, known).items() if name not in known}
        known |= derived
        # Part of a name is enough to give a file a family: a call of ``MyMCPServer`` contains ``MCPServer``.
        used = {path: _both(found.get(path, ()), entries) for path, entries in _users(root, files, derived)}
        fresh = {path: entries for path, entries in used.items() if entries != found.get(path)}
        found |= fresh
    return dict(sorted(found.items()))


def renamed_in(root: Path, files: Iterable[str]) -> Iterator[str]:
    """The names under which these files import a class of a decorated family."""
    for path in files:
        yield from (name.decode() for name in _RENAMED_DECORATED.findall(_bytes(root, path)))


def registrations(root: Path, files: tuple[str, ...]) -> Iterator[tuple[str, int, str]]:
    """For each file that has one, the first ``@NAME.tool`` decorator: the path, the line and ``NAME``."""
    for path in gated(root, files, (b".tool",)):
        raw = _bytes(root, path)
        if match := _REGISTERED.search(raw):
            yield path, raw.count(b"\n", 0, match.start(1)) + 1, match.group(1).decode()


def _derived(
    root: Path, files: Mapping[str, tuple[Family, ...]], known: Mapping[bytes, tuple[Family, ...]]
) -> dict[bytes, tuple[Family, ...]]:
    """The classes that these files derive from server classes or import under another name, with their families."""
    derived: dict[bytes, tuple[Family, ...]] = {}
    for path, entries in files.items():
        raw = _bytes(root, path)
        derived |= dict.fromkeys(_RENAMED_DECORATED.findall(raw), entries)
        derived |= dict.fromkeys(_handed_on(raw), entries)
        servers = {*_SDK_CLASSES, *known, *_RENAMED.findall(raw)}
        for name, bases in _CLASS.findall(raw):
            if servers.intersection(_WORD.findall(bases)):
                servers.add(name)
                derived[name] = entries
    return derived


def _handed_on(raw: bytes) -> list[bytes]:
    """The server classes that a file imports and does not call: other files may call them under its name."""
    imported = {word for line in _SDK_IMPORT.findall(raw) for word in _WORD.findall(line)} & _SDK_CLASSES
    return [
        name for name in sorted(imported) if not re.search(rb"\b%s(?:\[[^\[\]]*\])?[ \t]*\(" % re.escape(name), raw)
    ]


def _users(
    root: Path, files: tuple[str, ...], derived: Mapping[bytes, tuple[Family, ...]]
) -> list[tuple[str, tuple[Family, ...]]]:
    """The files that call, rename or derive from one of these classes, with the families of all that they use."""
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
    """The families in either tuple, in the order of ``FAMILIES``."""
    return tuple(entry for entry in FAMILIES if entry in some or entry in more)


def _bytes(root: Path, path: str) -> bytes:
    try:
        return disk.read(root, path)
    except OSError:
        return b""  # the stage that needs the content reports that it cannot be read
