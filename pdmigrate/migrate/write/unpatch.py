"""Read the patches of ``diff.py``, and take them back; by syntax, where lines no longer match.

``undo`` is strict: it takes only the very file that the patch made.  ``undo_edited`` is for files that were edited
elsewhere since, when git is not there to merge; it takes a hunk back only if the hunk fits in exactly one place.
"""

from __future__ import annotations

import ast
import io
import os
import re
import textwrap
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pdmigrate.errors import PdmigrateError
from pdmigrate.migrate.write.diff import NO_BLOB, NO_NEWLINE, blob_id, split_lines
from pdmigrate.record.undo import Piece

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@[^\n]*\n?")
_INDEX = re.compile(rb"index ([0-9a-f]{40})\.\.([0-9a-f]{40})(?: \d+)?\n?")
_HEADER = re.compile(rb"(?:new|deleted) file mode \d+\n?|--- |\+\+\+ ")
_OCTAL = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_UNESCAPED = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13, b'"': 34, b"\\": 92}


@dataclass(frozen=True, slots=True)
class Hunk:
    """Where a hunk starts in the old and the new file (from 0), and its lines in both."""

    old_start: int
    new_start: int
    old: tuple[bytes, ...]
    new: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class FilePatch:
    """The part of a patch about one file, and its ``raw`` bytes; an id of zeros stands for no file."""

    path: str
    old_id: str
    new_id: str
    hunks: tuple[Hunk, ...]
    raw: bytes

    @property
    def reverse(self) -> FilePatch:
        """The patch in the other direction; its ``raw`` is empty."""
        hunks = tuple(Hunk(hunk.new_start, hunk.old_start, hunk.new, hunk.old) for hunk in self.hunks)
        return FilePatch(self.path, self.new_id, self.old_id, hunks, b"")


def parse_patch(patch: bytes, source: str) -> dict[str, FilePatch]:
    """The parts of a patch by path.

    Raises:
        PdmigrateError: it is not a whole patch as pdmigrate writes it; ``source`` names it in the message (PD606).
    """
    lines = split_lines(patch)
    parts: dict[str, FilePatch] = {}
    position = 0
    try:
        if patch and not patch.endswith(b"\n"):
            raise ValueError("cut off")
        while position < len(lines):
            part, position = _file_patch(lines, position)
            parts[part.path] = part
    except (ValueError, IndexError) as error:
        raise PdmigrateError(
            f"{source}:{position + 1} is not a patch as pdmigrate writes it", hint="restore it from git", code="PD606"
        ) from error
    return parts


def undo(part: FilePatch, content: bytes) -> bytes | None:
    """The file before the patch, made from the file after it; ``None`` when ``content`` is not that file.

    Where the part has no ids, the caller has to compare the result with a checksum.
    """
    known = part.old_id != part.new_id
    if known and blob_id(content) != part.new_id:
        return None
    lines = split_lines(content)
    for hunk in reversed(part.hunks):
        here = slice(hunk.new_start, hunk.new_start + len(hunk.new))
        if tuple(lines[here]) != hunk.new:
            return None
        lines[here] = hunk.old
    before = b"".join(lines)
    return before if not known or blob_id(before) == part.old_id else None


def inserted(path: str, pieces: Iterable[Piece]) -> FilePatch:
    """The part for a file in which nothing but ``pieces`` is new."""
    hunks, before = [], 0
    for piece in pieces:
        old, new = (tuple(split_lines(text.encode())) for text in (piece.replaced, piece.text))
        hunks.append(Hunk(piece.line - 1 - before, piece.line - 1, old, new))
        before += len(new) - len(old)
    return FilePatch(path, NO_BLOB, NO_BLOB, tuple(hunks), b"")


def with_ends(part: FilePatch, end: bytes) -> FilePatch:
    """The part for the same file with other line ends, as programs that mend line ends leave a patch."""

    def ended(lines: tuple[bytes, ...]) -> tuple[bytes, ...]:
        return tuple(line[:-1].removesuffix(b"\r") + end if line.endswith(b"\n") else line for line in lines)

    return replace(
        part,
        old_id=NO_BLOB,
        new_id=NO_BLOB,
        hunks=tuple(replace(hunk, old=ended(hunk.old), new=ended(hunk.new)) for hunk in part.hunks),
    )


def undo_edited(part: FilePatch, content: bytes) -> bytes | None:
    """The file before the patch, with later edits elsewhere kept; ``None`` unless every hunk fits once, in order."""
    lines = split_lines(content)
    result: list[bytes] = []
    position = 0
    for hunk in part.hunks:
        places = _places(lines, hunk.new)
        if len(places) != 1 or places[0] < position:
            return None
        result += (*lines[position : places[0]], *hunk.old)
        position = places[0] + len(hunk.new)
    result += lines[position:]
    complete = all(line.endswith(b"\n") for line in result[:-1])
    return b"".join(result) if complete and part.hunks else None


def _places(lines: list[bytes], wanted: tuple[bytes, ...]) -> list[int]:
    if not wanted:
        return []
    last = len(lines) - len(wanted)
    return [i for i in range(last + 1) if lines[i] == wanted[0] and tuple(lines[i : i + len(wanted)]) == wanted]


# --- reading ----------------------------------------------------------------------------------------------------------


def _file_patch(lines: list[bytes], position: int) -> tuple[FilePatch, int]:
    first = position
    path = _path(lines[position])
    position += 1
    ids: tuple[str, str] | None = None
    while position < len(lines) and (_HEADER.match(lines[position]) or _INDEX.match(lines[position])):
        index = _INDEX.match(lines[position])
        ids = (index[1].decode(), index[2].decode()) if index else ids
        position += 1
    hunks: list[Hunk] = []
    while position < len(lines) and lines[position].startswith(b"@@ "):
        hunk, position = _hunk(lines, position)
        hunks.append(hunk)
    if ids is None:
        raise ValueError("no index line")
    return FilePatch(path, *ids, tuple(hunks), b"".join(lines[first:position])), position


def _path(line: bytes) -> str:
    """The path of a ``diff --git`` line, which is the same on both sides."""
    names = line.removeprefix(b"diff --git ").removesuffix(b"\n").removesuffix(b"\r")
    if names == line or len(names) % 2 == 0:
        raise ValueError("no header")
    middle = len(names) // 2
    old, new = _unquoted(names[:middle]), _unquoted(names[middle + 1 :])
    if not old.startswith(b"a/") or not new.startswith(b"b/") or old[2:] != new[2:]:
        raise ValueError("two paths")
    return os.fsdecode(old[2:])


def _unquoted(name: bytes) -> bytes:
    if not name.startswith(b'"'):
        return name

    def character(match: re.Match[bytes]) -> bytes:
        code = match[1]
        return bytes([int(code, 8) if len(code) == 3 else _UNESCAPED[code]])

    return _OCTAL.sub(character, name[1:-1])


def _hunk(lines: list[bytes], position: int) -> tuple[Hunk, int]:
    head = _HUNK.fullmatch(lines[position])
    if head is None:
        raise ValueError("no hunk")
    old_start, old_count, new_start, new_count = (int(number or 1) for number in head.groups())
    old: list[bytes] = []
    new: list[bytes] = []
    for mark, content, end in _marked(lines, position + 1):
        if mark in b" -":
            old.append(content)
        if mark in b" +":
            new.append(content)
        if len(old) == old_count and len(new) == new_count:
            return Hunk(_index(old_start, old_count), _index(new_start, new_count), tuple(old), tuple(new)), end
    # Programs that mend the ends of files take away blank lines there, which are lines of context.
    if (lacking := old_count - len(old)) == new_count - len(new) and 0 < lacking <= 3:
        blank = (b"\n",) * lacking
        old_lines, new_lines = (*old, *blank), (*new, *blank)
        return Hunk(_index(old_start, old_count), _index(new_start, new_count), old_lines, new_lines), len(lines)
    raise ValueError("a hunk ends early")


def _index(start: int, count: int) -> int:
    """The start of a hunk, from 0; a patch counts lines from 1, and for an empty range names the line before it."""
    return start - 1 if count else start


def _marked(lines: list[bytes], position: int) -> Iterator[tuple[bytes, bytes, int]]:
    """Each line of a hunk: its mark, its content (without a newline where the patch says so), the next position."""
    while position < len(lines):
        line = b" " + lines[position] if lines[position] in (b"\n", b"\r\n") else lines[position]
        mark, content = line[:1], line[1:]
        if mark not in (b" ", b"-", b"+"):
            raise ValueError("not a line of a hunk")
        position += 1
        if position < len(lines) and lines[position].rstrip() == NO_NEWLINE.rstrip():
            content, position = content.removesuffix(b"\n"), position + 1
        yield mark, content, position


_POLICIES = ("stdio", "http")


def differ_in_layout(one: bytes, other: bytes) -> bool:
    """Whether two Python files say the same, comments included, in another layout."""
    try:
        return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other)) and _comments(one) == _comments(other)
    except (SyntaxError, ValueError, RecursionError, tokenize.TokenError):
        return False


def taken_out(content: bytes, pieces: Iterable[bytes]) -> bytes | None:
    """``content`` without the statements in ``pieces``; ``None`` unless each is there once, in lines of its own.

    Policies in a call may be others than those that were inserted: people are meant to edit them.
    """
    texts = list(pieces)
    try:
        wanted = [(_dumped(s), text) for text in texts for s in ast.parse(textwrap.dedent(text.decode())).body]
        bodies = list(_bodies(ast.parse(content)))
    except (SyntaxError, ValueError, RecursionError):
        return None
    lines = split_lines(content)
    places: list[tuple[int, int, bool]] = []
    for dumped, text in wanted:
        found = [s for body in bodies if len(body) > 1 for s in body if _dumped(s) == dumped]
        if len(found) != 1 or not _stands_alone(found[0], lines):
            return None
        places.append((found[0].lineno - 1, found[0].end_lineno or found[0].lineno, b"\n\n" in b"\n" + text))
    for start, end, spaced in sorted(places, reverse=True):
        del lines[start:end]
        if spaced and start < len(lines) and not lines[start].strip() and (start == 0 or not lines[start - 1].strip()):
            del lines[start]
    return b"".join(lines) if wanted else None


def _comments(content: bytes) -> list[str]:
    tokens = tokenize.tokenize(io.BytesIO(content).readline)
    return [token.string.lstrip("#").strip() for token in tokens if token.type == tokenize.COMMENT]


def _bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """Every list of statements in a tree; a list of one statement cannot do without it."""
    for node in ast.walk(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and value and all(isinstance(one, ast.stmt) for one in value):
                yield value


def _dumped(statement: ast.stmt) -> str:
    for node in ast.walk(statement):
        if isinstance(node, ast.Call):
            node.keywords = [word for word in node.keywords if word.arg not in _POLICIES]
    return ast.dump(statement)


def _stands_alone(statement: ast.stmt, lines: list[bytes]) -> bool:
    """Whether nothing else is in the lines of a statement."""
    first, last = lines[statement.lineno - 1], lines[(statement.end_lineno or statement.lineno) - 1]
    rest = last[statement.end_col_offset or 0 :].strip()
    return not first[: statement.col_offset].strip() and not rest
