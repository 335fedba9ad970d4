"""Merge three texts, as git does it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from tempfile import TemporaryDirectory

from pdmigrate import disk
from pdmigrate.disk.vcs.git import ask


@dataclass(frozen=True, slots=True)
class Merge:
    """A merged text with conflict markers, and the lines of the current text at which the conflicts start."""

    text: bytes
    conflicts: tuple[int, ...]


def merge(current: bytes, base: bytes, other: bytes, labels: Sequence[str]) -> Merge | None:
    """``current`` with the changes from ``base`` to ``other``; ``None`` without git, or for binary files."""
    # Markers of an unusual length cannot be mistaken for a line of the file.
    size = 31
    with TemporaryDirectory(prefix="pdmigrate-") as made:
        folder = os.path.realpath(made)
        names = ("current", "base", "other")
        for name, content in zip(names, (current, base, other), strict=True):
            disk.keep(folder, name, content)
        flags = [flag for label in labels for flag in ("-L", label)]
        done = ask(folder, "merge-file", "-p", "--diff3", f"--marker-size={size}", *flags, *names)
    if done is None or done.returncode not in range(128):
        return None
    conflicts = tuple(_conflict_lines(done.stdout, size))
    return Merge(done.stdout, conflicts) if len(conflicts) == done.returncode else None


def _conflict_lines(text: bytes, size: int) -> Iterator[int]:
    line, ours = 1, True
    for content in text.split(b"\n"):
        marker = content[:size]
        if marker == b"<" * size:
            yield line
        elif marker == b"|" * size:
            ours = False
        elif marker == b">" * size:
            ours = True
        elif ours:
            line += 1
