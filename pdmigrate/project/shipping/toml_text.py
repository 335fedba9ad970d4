"""Insert additions into the text of a TOML file, and prove that each was inserted and changed nothing else.

tomlkit finds the place and the style; everything that was in the file stays as it is, byte for byte.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pdmigrate.model import JsonObject, JsonValue
from pdmigrate.project.shipping.model import Addition
from pdmigrate.source.documents import read_toml

if TYPE_CHECKING:
    from tomlkit.items import AbstractTable, Item

_HEADER = re.compile(r"\s*\[")


class UneditableError(Exception):
    """An addition cannot be made without changing the existing text; the message says why."""


def read(text: str) -> JsonObject:
    """Parse a TOML text into plain values.

    Raises:
        ValueError: the text is not TOML.
    """
    return read_toml(text)


def add_all(text: str, additions: Iterable[Addition]) -> str:
    """``text`` with the additions that it does not hold already.

    Raises:
        RefusedError: an addition cannot be made by inserting text alone.
    """
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix(mark)
    for addition in additions:
        text = _add(text, addition)
    return mark + text


def lines(additions: Iterable[Addition]) -> str:
    """The additions as TOML text, for a person to copy."""
    return add_all("", additions).strip()


def _add(text: str, addition: Addition) -> str:
    before = read(text)
    wanted = _extended(before, addition)
    if wanted == before:
        return text
    # tomlkit writes \n, so it gets the text with \n alone, and its insertions are applied to the original text.
    plain = text.replace("\r\n", "\n")
    try:
        written = _written(plain, addition)
    except (ValueError, TypeError, KeyError) as error:
        raise UneditableError(str(error)) from error
    result = text
    for offset, piece in reversed(_insertions(plain, written)):
        result = _insert(result, offset, piece)
    try:
        proven = read(result) == wanted
    except ValueError as error:
        raise UneditableError(str(error)) from error
    if not proven:
        raise UneditableError("the file would not say the same")
    return result


def _extended(data: JsonObject, addition: Addition) -> JsonObject:
    """What the file should mean after the addition."""
    result = copy.deepcopy(data)
    table: JsonObject = result
    *tables, key = addition.path
    for name in tables:
        inner = table.setdefault(name, {})
        if not isinstance(inner, dict):
            raise UneditableError(f"{name} is not a table")
        table = inner
    if isinstance(addition.value, str):
        table[key] = addition.value
        return result
    items = table.setdefault(key, [])
    if not isinstance(items, list):
        raise UneditableError(f"{'.'.join(addition.path)} is not a list")
    items.extend(_copied(item) for item in addition.value if _copied(item) not in items)
    return result


def _copied(item: JsonValue) -> JsonValue:
    return copy.deepcopy(item)


def _written(text: str, addition: Addition) -> str:
    """The text as tomlkit writes it after the addition."""
    import tomlkit
    from tomlkit.items import AoT, Array

    document = tomlkit.parse(text)
    table: Any = document
    *tables, key = addition.path
    for position, name in enumerate(tables):
        if name not in table:
            table[name] = tomlkit.table(is_super_table=position < len(tables) - 1)
        table = table[name]
    if isinstance(addition.value, str):
        table[key] = addition.value
    elif key not in table:
        table[key] = _array([_item(item) for item in addition.value])
    else:
        present = table[key]
        for item in addition.value:
            if item in present.unwrap():
                continue
            if isinstance(present, AoT):
                present.append(_table(item))
            elif isinstance(present, Array):
                present.append(_item(item))
            else:
                raise TypeError(f"{'.'.join(addition.path)} is not a list")
    return tomlkit.dumps(document)


def _array(items: list[Item]) -> Item:
    """A new list: on one line if it is short, otherwise one item a line."""
    import tomlkit

    array = tomlkit.array()
    array.extend(items)
    return array.multiline(len(items) > 1 and len(array.as_string()) > 88)


def _item(value: JsonValue) -> Item:
    import tomlkit

    if isinstance(value, dict):
        inline = tomlkit.inline_table()
        inline.update({key: _item(inner) for key, inner in value.items()})
        return inline
    return tomlkit.item(value)


def _table(value: JsonValue) -> AbstractTable:
    import tomlkit

    table = tomlkit.table()
    if not isinstance(value, dict):
        raise TypeError("only a table fits into a list of tables")
    table.update({key: _item(inner) for key, inner in value.items()})
    return table


# --- insertions -------------------------------------------------------------------------------------------------------


def _insertions(before: str, after: str) -> list[tuple[int, str]]:
    """The texts whose insertion turns ``before`` into ``after``, with their offsets in ``before``.

    At most two, which is what one addition needs (a comma after the last item, and the item).

    Raises:
        RefusedError: some text of ``before`` is gone or replaced.
    """
    start = _common(before, after)
    end = min(_common(before[::-1], after[::-1]), len(before) - start)
    kept, new = before[start : len(before) - end], after[start : len(after) - end]
    if not kept:
        return [_placed(before, start, new)]
    position = new.find(kept)
    if position < 0:
        raise UneditableError("the edit would replace text that is there")
    return [(start, new[:position]), (start + len(kept), new[position + len(kept) :])]


def _common(one: str, other: str) -> int:
    """The length of the common prefix of two texts."""
    limit = min(len(one), len(other))
    return next((index for index in range(limit) if one[index] != other[index]), limit)


def _placed(before: str, offset: int, piece: str) -> tuple[int, str]:
    """The insertion; a new table gets an empty line on each side, and goes above the comment of the next table."""
    offset, piece = _whole_lines(before, offset, piece)
    at_line_start = offset == 0 or before[offset - 1] == "\n"
    starts_line = piece.startswith("\n") or at_line_start or offset == len(before)
    if not (starts_line and _HEADER.match(piece)):
        # A key at the end of a file without a final newline starts a new line.
        ended = before.endswith("\n") or not before
        return offset, piece if ended or offset < len(before) else "\n" + piece.strip("\n")
    rest = before[offset:]
    if rest:
        offset = _above_comment(before, offset)
        rest = before[offset:]
    head = before[:offset]
    above = "" if not head or head.endswith("\n\n") else "\n" if head.endswith("\n") else "\n\n"
    below = "\n\n" if rest else "\n" if head.endswith("\n") or not head else ""
    return offset, above + piece.strip("\n") + below


def _whole_lines(before: str, offset: int, piece: str) -> tuple[int, str]:
    """The same insertion as whole lines, if possible: ``x]\\n[tool.`` after ``[tool.`` is ``[tool.x]\\n``."""
    start = before.rfind("\n", 0, offset) + 1
    shared = before[start:offset]
    if shared and piece.endswith("\n" + shared):
        return start, shared + piece[: -len(shared)]
    return offset, piece


def _above_comment(text: str, offset: int) -> int:
    """The start of the comment lines that end at ``offset``; ``offset`` itself where there are none."""
    while True:
        start = text.rfind("\n", 0, max(offset - 1, 0)) + 1
        if not text[start:offset].startswith("#"):
            return offset
        offset = start


def _insert(text: str, offset: int, piece: str) -> str:
    """Insert ``piece``, with the newlines around it, at ``offset``, which counts ``\\r\\n`` as one character."""
    position = 0
    for _ in range(offset):
        position += 2 if text.startswith("\r\n", position) else 1
    previous = text.rfind("\n", 0, position)
    near = previous if previous >= 0 else text.find("\n")
    newline = "\r\n" if near > 0 and text[near - 1] == "\r" else "\n"
    return text[:position] + piece.replace("\n", newline) + text[position:]
