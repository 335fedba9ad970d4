"""The SDK that a file is written for, or that it needs none, judged by its text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from pdmigrate import disk
from pdmigrate.model import Site
from pdmigrate.sdk.families import DECORATED, FAMILIES, HOMES, PACKAGES, ServerClass, alternation
from pdmigrate.source.discover import gated, is_test


def _importing(modules: Iterable[str]) -> re.Pattern[bytes]:
    return re.compile(rb"(?m)^[ \t]*(?:from|import)[ \t]+%s\b" % alternation(modules))


def _naming(server: ServerClass) -> re.Pattern[bytes]:
    """A pattern for references to a server class of the official SDK that only one of its major versions has."""
    home, name = re.escape(server.modules[0]).encode(), server.name.encode()
    return re.compile(rb"\b%s\b|\bmcp\.server[ \t]+import\b[^#\n]*\b%s\b" % (home, name))


_MCP = _importing(["mcp"])
_OTHERS = {package: _importing(package.imported) for package in PACKAGES if package.name != "mcp"}
_OFFICIAL = {one.major: _naming(one.server) for one in FAMILIES if one.package == "mcp" and one.server in DECORATED}
_REGISTERING = (b"list_tools", b"call_tool", b"list_resources", b"list_prompts", b"request_handler")
"""The patterns below match no text without one of these words; a search for them is several times as fast."""
_DECORATES = re.compile(rb"@[\w.]+\.(?:list_tools|call_tool|list_resources|list_prompts)\(\)|\brequest_handlers\[")
_HANDS_OVER = re.compile(rb"\bon_(?:list_tools|call_tool)[ \t]*=|\.add_request_handler\(")


class Named(NamedTuple):
    """The SDKs that the imports of a text, or of all readable files of a tree, name."""

    others: tuple[str, ...] = ()
    """The packages besides ``mcp`` that have server classes of their own."""
    majors: tuple[int, ...] = ()
    """The major versions of ``mcp`` only one of which has the server classes that are named."""


def named_in(texts: Iterable[bytes]) -> Named:
    """The SDKs that the imports of any of these texts name."""
    others: set[str] = set()
    majors: set[int] = set()
    for raw in texts:
        # A search for a word is several times as fast as one for a pattern.
        named = (package for package in _OTHERS if any(module.encode() in raw for module in package.imported))
        others |= {package.name for package in named if _OTHERS[package].search(raw)}
        majors |= {major for major, pattern in _OFFICIAL.items() if b"mcp.server" in raw and pattern.search(raw)}
    return Named(tuple(sorted(others)), tuple(sorted(majors)))


def names_mcp(raw: bytes) -> bool:
    """Whether an import names the official SDK."""
    return bool(_MCP.search(raw))


def registers_as(raw: bytes) -> int | None:
    """The major version of ``mcp`` whose way of registering handlers is used; ``None`` if neither or both are."""
    if not any(word in raw for word in _REGISTERING):
        return None
    one, two = _DECORATES.search(raw), _HANDS_OVER.search(raw)
    return (1 if one else 2) if bool(one) != bool(two) else None


_SPOKEN = (b"tools/list", b"serverInfo", b"protocolVersion", b"jsonrpc")
"""The texts in a file that answers ``initialize`` and ``tools/list`` by itself."""
_OF_SERVERS = _importing(HOMES)


def spoken_by_hand(root: Path, files: tuple[str, ...]) -> Iterator[Site]:
    """The files, tests aside, that answer as an MCP server without using an SDK, each with a line that shows it.

    One that imports what servers of an SDK are made of looks at methods to change what such a server answers.
    """
    for path in gated(root, files, _SPOKEN[:1]):
        raw = disk.content_or_empty(root, path)
        if not is_test(path) and all(word in raw for word in _SPOKEN) and not _OF_SERVERS.search(raw):
            yield Site(path, raw.count(b"\n", 0, raw.index(_SPOKEN[0])) + 1)
