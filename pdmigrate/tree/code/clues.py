"""The SDK that a file is written for, judged by its text, if its project leaves that open."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from pdmigrate.families import MCP1, MCP2, ServerClass

_FASTMCP = re.compile(rb"(?m)^[ \t]*(?:from|import)[ \t]+fastmcp\b")
_MCP = re.compile(rb"(?m)^[ \t]*(?:from|import)[ \t]+mcp\b")


def _naming(server: ServerClass) -> re.Pattern[bytes]:
    """A pattern for references to a server class of the official SDK that only one of its major versions has."""
    home, name = re.escape(server.modules[0]).encode(), server.name.encode()
    return re.compile(rb"\b%s\b|\bmcp\.server[ \t]+import\b[^#\n]*\b%s\b" % (home, name))


_FIRST, _SECOND = _naming(MCP1), _naming(MCP2)
_REGISTERING = (b"list_tools", b"call_tool", b"list_resources", b"list_prompts", b"request_handler")
"""The patterns below match no text without one of these words; a search for them is several times as fast."""
_DECORATES = re.compile(rb"@[\w.]+\.(?:list_tools|call_tool|list_resources|list_prompts)\(\)|\brequest_handlers\[")
_HANDS_OVER = re.compile(rb"\bon_(?:list_tools|call_tool)[ \t]*=|\.add_request_handler\(")


class Named(NamedTuple):
    """The SDKs that the imports of a text, or of all readable files of a tree, name."""

    fastmcp: bool
    first: bool
    second: bool

    @property
    def major(self) -> int | None:
        """The major version of ``mcp`` that the imports prove; ``None`` if they prove neither, or both."""
        return None if self.first is self.second else 1 if self.first else 2


def named_in(raw: bytes) -> Named:
    official = b"mcp.server" in raw
    return Named(
        b"fastmcp" in raw and bool(_FASTMCP.search(raw)),
        official and bool(_FIRST.search(raw)),
        official and bool(_SECOND.search(raw)),
    )


def named_in_any(texts: Iterable[bytes]) -> Named:
    found = [named_in(raw) for raw in texts]
    return Named(*(any(item[which] for item in found) for which in range(3)))


def names_mcp(raw: bytes) -> bool:
    """Whether an import names the official SDK."""
    return bool(_MCP.search(raw))


def registers_as(raw: bytes) -> int | None:
    """The major version of ``mcp`` whose way of registering handlers is used; ``None`` if neither or both are."""
    if not any(word in raw for word in _REGISTERING):
        return None
    one, two = _DECORATES.search(raw), _HANDS_OVER.search(raw)
    return (1 if one else 2) if bool(one) != bool(two) else None
