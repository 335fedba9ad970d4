"""JSON values as Python literals, laid out as ruff and black do it within the project's line length, if possible."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pdmigrate.model import JsonValue

TAB = 4


@dataclass(frozen=True, slots=True)
class LiteralLayout:
    """The surroundings of a literal in its file.

    ``indent`` is the white space that the line starts with, ``column`` the width of the text before the literal on that
    line, ``tail`` the width of the text after it; ``breakable`` allows a text to be broken into pieces.  ``quote`` is
    the quote of texts for which neither quote saves escapes.
    """

    indent: str = ""
    column: int = 0
    tail: int = 0
    unit: str = "    "
    newline: str = "\n"
    encoding: str = "utf-8"
    breakable: bool = True
    width: int = 88
    quote: str = '"'


def python_literal(value: JsonValue, layout: LiteralLayout) -> str:
    """The expression that evaluates to ``value``; raises ValueError for numbers without a literal (infinity)."""
    flat = _flat(value, layout)
    if layout.column + display_width(flat) + layout.tail <= layout.width:
        return flat
    if isinstance(value, str):
        return _pieces(value, layout) or flat if layout.breakable else flat
    if isinstance(value, dict):
        heads = {f"{_quoted(key, layout)}: ": item for key, item in value.items()}
        return _broken("{", list(heads.items()), "}", layout) if heads else flat
    if isinstance(value, list):
        return _broken("[", [("", item) for item in value], "]", layout) if value else flat
    return flat


def display_width(text: str) -> int:
    """The columns that ``text`` takes: ``TAB`` for a tab, one for any other character."""
    return len(text) + text.count("\t") * (TAB - 1)


def _broken(opening: str, items: list[tuple[str, JsonValue]], closing: str, layout: LiteralLayout) -> str:
    """The entries on lines of their own, one level deeper, and the closing bracket below the start of the line."""
    indent = layout.indent + layout.unit
    lines = [opening]
    for head, item in items:
        inner = replace(layout, indent=indent, column=display_width(indent + head), tail=1, breakable=False)
        lines.append(f"{indent}{head}{python_literal(item, inner)},")
    lines.append(layout.indent + closing)
    return layout.newline.join(lines)


def _pieces(text: str, layout: LiteralLayout) -> str | None:
    """A text in parentheses, in pieces that end after a space; ``None`` if it has no place to break."""
    indent = layout.indent + layout.unit
    room = layout.width - display_width(indent)
    pieces: list[str] = []
    for word in re.findall(r"[^ ]+ *|^ +", text):
        if pieces and display_width(_quoted(pieces[-1] + word, layout)) <= room:
            pieces[-1] += word
        else:
            pieces.append(word)
    if len(pieces) < 2 and " " not in text.strip():
        return None
    lines = ["(", *(indent + _quoted(piece, layout) for piece in pieces), layout.indent + ")"]
    return layout.newline.join(lines)


def _flat(value: JsonValue, layout: LiteralLayout) -> str:
    if isinstance(value, str):
        return _quoted(value, layout)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_quoted(key, layout)}: {_flat(item, layout)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flat(item, layout) for item in value) + "]"
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        raise ValueError(f"{value} has no Python literal")
    return repr(value)


def _quoted(text: str, layout: LiteralLayout) -> str:
    """``text`` as a literal, in the quotes of the layout, or in the other ones if that saves escapes."""
    quote, other = layout.quote, "'" if layout.quote == '"' else '"'
    quote = other if text.count(quote) > text.count(other) else quote
    return quote + "".join(_escaped(character, quote, layout.encoding) for character in text) + quote


def _escaped(character: str, quote: str, encoding: str) -> str:
    """``character``, escaped if it is the quote or a backslash, not printable, or not in the file's encoding."""
    if character == quote:
        return "\\" + character
    if character != "\\" and character.isprintable() and character.encode(encoding, "ignore"):
        return character
    return character.encode("unicode_escape").decode()
