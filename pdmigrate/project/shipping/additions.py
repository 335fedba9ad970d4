"""Additions to TOML text: insertions alone, each proven to mean what was asked for and to change nothing else."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from pdmigrate.model import JsonObject
from pdmigrate.source.documents import read_toml

_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Addition:
    """Items for the list at the key ``path`` of ``pyproject.toml``."""

    path: tuple[str, ...]
    items: tuple[str, ...]


class UneditableError(Exception):
    """An addition cannot be made without changing the existing text; the message says why."""


def add_all(text: str, additions: Iterable[Addition]) -> str:
    """``text`` with the additions that it lacks; raises UneditableError where inserting text alone is not enough."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix(mark)
    for addition in additions:
        text = _add(text, addition)
    return mark + text


def lines(additions: Iterable[Addition]) -> str:
    """The additions as TOML text, for a person to copy."""
    return add_all("", additions).strip()


def _add(text: str, addition: Addition) -> str:
    before = read_toml(text)
    wanted = [_extended(before, addition, first=first) for first in (False, True)]
    if before in wanted:
        return text
    present = _list(before, addition.path)
    missing = [json.dumps(item, ensure_ascii=False) for item in addition.items if item not in present]
    newline = "\r\n" if "\r\n" in text else "\n"
    result = _inserted(text, addition.path, missing, newline)
    try:
        proven = read_toml(result) in wanted
    except ValueError as error:
        raise UneditableError(str(error)) from error
    if not proven:
        raise UneditableError("the edit would change other settings")
    return result


def _list(data: JsonObject, path: tuple[str, ...]) -> list[object]:
    """The list at ``path`` in ``data``; tables and list are put there if they are missing."""
    *tables, key = path
    for name in tables:
        inner = data.setdefault(name, {})
        if not isinstance(inner, dict):
            raise UneditableError(f"{name} is not a table")
        data = inner
    items: object = data.setdefault(key, [])
    if not isinstance(items, list):
        raise UneditableError(f"{'.'.join(path)} is not a list")
    return items


def _extended(data: JsonObject, addition: Addition, *, first: bool) -> JsonObject:
    """What the file should mean after the addition, with the new items first or last."""
    result = copy.deepcopy(data)
    items = _list(result, addition.path)
    missing = [item for item in addition.items if item not in items]
    items[:] = [*missing, *items] if first else [*items, *missing]
    return result


def _inserted(text: str, path: tuple[str, ...], items: list[str], newline: str) -> str:
    """The text with the items in the list at ``path``; if need be the list is made, in a table at the end."""
    *table, key = path
    shown = text.splitlines(keepends=True)
    if shown and not shown[-1].endswith("\n"):
        shown[-1] += newline
    headers = [_header(line) for line in shown]
    made = f"{_key(key)} = [{', '.join(items)}]{newline}"
    if table not in headers:
        above = newline if shown and shown[-1].strip() else ""
        return "".join((*shown, above, f"[{'.'.join(map(_key, table))}]{newline}", made))
    start = headers.index(table)
    end = next((n for n in range(start + 1, len(shown)) if shown[n].lstrip().startswith("[")), len(shown))
    opening = re.compile(rf"\s*(?:{re.escape(key)}|\"{re.escape(key)}\"|'{re.escape(key)}')\s*=\s*\[")
    for number in range(start + 1, end):
        if found := opening.match(shown[number]):
            shown[number : number + 2] = _in_list(shown[number : number + 2], found.end(), items, newline)
            return "".join(shown)
    while end > start + 1 and (not shown[end - 1].strip() or shown[end - 1].startswith("#")):
        end -= 1
    return "".join((*shown[:end], made, *shown[end:]))


def _in_list(shown: list[str], offset: int, items: list[str], newline: str) -> list[str]:
    """The line on which a list begins, with its bracket before ``offset``, and the next one, with the items added."""
    head, rest = shown[0][:offset], shown[0][offset:]
    if shown[1:] and (not rest.strip() or rest.lstrip().startswith("#")):
        indent = shown[1][: len(shown[1]) - len(shown[1].lstrip())] or "    "
        return [shown[0], *(f"{indent}{item},{newline}" for item in items), shown[1]]
    if rest.rstrip().endswith("]"):
        end = rest.rindex("]")
        given = rest[:end].rstrip()
        between = "" if not given else " " if given.endswith(",") else ", "
        return [head + given + between + ", ".join(items) + rest[len(given) :], *shown[1:]]
    return [f"{head}{', '.join(items)}, {rest}", *shown[1:]]


def _header(line: str) -> list[str] | None:
    """The name of the table that a line opens; ``None`` for any other line."""
    if not line.lstrip().startswith("[") or line.lstrip().startswith("[["):
        return None
    try:
        data = read_toml(line)
    except ValueError:
        return None
    names: list[str] = []
    while data:
        [(name, inner)] = data.items()
        names.append(name)
        data = inner if isinstance(inner, dict) else {}
    return names


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)
