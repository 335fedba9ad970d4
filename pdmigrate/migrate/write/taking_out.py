"""Take inserted statements out of a file that was laid out anew since: by syntax, where lines no longer match."""

from __future__ import annotations

import ast
import io
import textwrap
import tokenize
from collections.abc import Iterable, Iterator

from pdmigrate.migrate.write.diff import split_lines

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
