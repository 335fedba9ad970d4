"""Pieces of text that a migration put into a file: find them, and take them out.

``undo`` is strict: it takes only the very file that was written, and its result is compared with a checksum.
``undo_edited`` is for files that were edited elsewhere since; it takes a piece out only if it stands there once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import Match, SequenceMatcher
from itertools import pairwise

from pdmigrate.migrate.write.diff import blob_id, split_lines
from pdmigrate.record.undo import Changed, Piece, sha256

_AROUND = 3
_FEW = 3
"""Lines of one file that are replaced where nothing moves: a call of ``enable`` around another takes one or two."""


def changed(before: bytes, after: bytes) -> Changed:
    """The record of a file that was ``before`` and is now ``after``, with what it takes to go back."""
    # Git keeps a text with other line ends than the file has, if core.autocrlf says so.
    kept = {blob_id(form) for text in (before, after) for form in (text, text.replace(b"\r\n", b"\n"))}
    return Changed(sha256(before), sha256(after), pieces(before, after), tuple(sorted(kept)))


def pieces(before: bytes, after: bytes) -> tuple[Piece, ...]:
    """What ``after`` has in the place of lines of ``before``.

    A piece has lines around it, the same in both, where its own would not stand in ``after`` exactly once; and where
    definitions were replaced, as an edit beside the stub of one is an edit of that stub.
    """
    old, new = split_lines(before), split_lines(after)
    blocks = SequenceMatcher(None, old, new).get_matching_blocks()
    least = _AROUND if len(old) - sum(block.size for block in blocks) > _FEW else 0
    ranges: list[tuple[int, int, int, int]] = []
    for above, below in pairwise([Match(0, 0, 0), *blocks]):
        first, start = above.a + above.size, above.b + above.size
        if (first, start) != (below.a, below.b):
            room = [(min(n, above.size), min(n, below.size)) for n in range(_AROUND + 1)]
            up, down = _around(new, start, below.b, room[least if first < below.a else 0 :])
            first, start = first - up, start - up
            if ranges and ranges[-1][3] > start:
                first, _, start, _ = ranges.pop()
            ranges.append((first, below.a + down, start, below.b + down))
    return tuple(
        Piece(start + 1, b"".join(new[start:end]), b"".join(old[first:last])) for first, last, start, end in ranges
    )


def _around(lines: Sequence[bytes], start: int, end: int, room: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The first of ``room``, numbers of lines above and below, with which a range stands there once; else the last."""
    fits = (n for n in room if len(_places(lines, lines[start - n[0] : end + n[1]])) == 1)
    return next(fits, room[-1])


def undo(changes: Iterable[Piece], after: bytes) -> bytes | None:
    """The file before, of the very file after, for a checksum to prove; ``None`` where a piece is not in its place."""
    return _exchanged(after, [(piece.line, piece.text, piece.replaced) for piece in sorted(changes, reverse=True)])


def redo(changes: Iterable[Piece], before: bytes) -> bytes | None:
    """The file after, made from the very file before; as ``undo``."""
    return _exchanged(before, [(piece.line, piece.replaced, piece.text) for piece in sorted(changes)])


def _exchanged(content: bytes, exchanges: Iterable[tuple[int, bytes, bytes]]) -> bytes | None:
    """``content`` with one text in the place of another from each line on, one after the other."""
    lines = split_lines(content)
    for line, old, new in exchanges:
        start, text = line - 1, split_lines(old)
        if lines[start : start + len(text)] != text:
            return None
        lines[start : start + len(text)] = split_lines(new)
    return b"".join(lines)


def undo_edited(changes: Iterable[Piece], content: bytes) -> bytes | None:
    """The file before, with later edits elsewhere kept; ``None`` unless every piece is there once, in order."""
    lines = split_lines(content)
    result: list[bytes] = []
    position = 0
    for piece in sorted(changes):
        text = split_lines(piece.text)
        places = _places(lines, text)
        if len(places) != 1 or places[0] < position:
            return None
        result += (*lines[position : places[0]], *split_lines(piece.replaced))
        position = places[0] + len(text)
    result += lines[position:]
    complete = all(line.endswith(b"\n") for line in result[:-1])
    return b"".join(result) if complete and position else None


def edited_at(changes: Iterable[Piece], content: bytes) -> int:
    """The line, as it was written, of the first piece that does not stand in ``content`` exactly once."""
    lines = split_lines(content)
    unfit = (piece.line for piece in sorted(changes) if len(_places(lines, split_lines(piece.text))) != 1)
    return next(unfit, 1)


def added(piece: Piece) -> list[bytes]:
    """The lines of a piece that are not among those whose place it took."""
    replaced = split_lines(piece.replaced)
    return [line for line in split_lines(piece.text) if line not in replaced]


def with_ends(content: bytes, end: bytes) -> bytes:
    """``content`` with this line end."""
    return content.replace(b"\r\n", b"\n").replace(b"\n", end)


def _places(lines: Sequence[bytes], wanted: Sequence[bytes]) -> list[int]:
    if not wanted:
        return []
    last = len(lines) - len(wanted)
    return [i for i in range(last + 1) if lines[i] == wanted[0] and lines[i : i + len(wanted)] == wanted]
