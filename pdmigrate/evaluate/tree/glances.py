"""What the text of a file says of servers, without parsing it: looked at once, however many servers ask."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pdmigrate import disk

_CLASS = re.compile(rb"(?m)^[ \t]*class[ \t]+(\w+)[ \t]*\(([^:]{0,2000})\)[ \t]*:")
_IMPORTS = re.compile(
    rb"(?m)^[ \t]*(?:from[ \t]+([A-Za-z_]\w*)|import[ \t]+([A-Za-z_][\w.]*(?:[ \t]*,[ \t]*[\w. ]+)*))"
)
_RELATIVE = re.compile(rb"(?m)^[ \t]*from[ \t]+\.")
REGISTERS = re.compile(rb"\.(?:tool|add_tool|import_server|mount)\b")


@dataclass(frozen=True, slots=True)
class Glance:
    """What can be seen of one file."""

    registers: bool
    """Whether it may register tools."""
    starts: bool
    """Whether it may be a script, or start something."""
    classes: tuple[tuple[str, bytes], ...]
    """Its classes that derive from something, and the text of what they derive from."""
    imports: frozenset[str]
    """The first names of the modules that it imports by their whole names."""
    relative: bool
    """Whether it imports from its own package without saying its name."""


class Glances:
    """The files below ``root``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._known: dict[str, Glance | None] = {}

    def at(self, path: str) -> Glance | None:
        """``None`` for a file that cannot be read, which is said where it is read."""
        if path not in self._known:
            try:
                self._known[path] = glance(disk.read(self.root, path))
            except OSError:
                self._known[path] = None
        return self._known[path]


def glance(raw: bytes) -> Glance:
    found = _CLASS.finditer(raw) if b"class" in raw else ()
    lines = (one or several for one, several in _IMPORTS.findall(raw))
    return Glance(
        registers=REGISTERS.search(raw) is not None,
        starts=b"__main__" in raw or b".run" in raw,
        classes=tuple((match[1].decode(), match[2]) for match in found),
        imports=frozenset(part.strip().partition(b".")[0].decode() for line in lines for part in line.split(b",")),
        relative=_RELATIVE.search(raw) is not None,
    )
