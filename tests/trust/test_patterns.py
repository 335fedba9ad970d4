"""No regular expression of the package takes the square of a text that a repository may hold.

Every pattern in the source is tried on texts that repeat what it is made of: the parts that it wants, in every run of
them, and what nearly is one.  A pattern that begins anew at each of them, and goes on from there to the end of all,
takes seconds for twenty thousand characters, and hours for a file; others take milliseconds.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pdmigrate

if sys.version_info >= (3, 11):
    from re import _parser as parser
else:
    import sre_parse as parser

ROOT = Path(pdmigrate.__file__).parent
LENGTH, SECONDS = 20_000, 0.25
SEARCHES = frozenset({"search", "findall", "finditer", "split", "sub", "subn"})
ANCHORED = frozenset({"match", "fullmatch"})
SHORT = {
    "pdmigrate.project.running._DOCUMENTS": "names of files, which systems keep below 256 characters",
    "pdmigrate.source.source._TEXT": "source that Python has parsed: its quotes are closed",
    "pdmigrate.describe.json_lines._TOKEN": "JSON that was read before: its quotes are closed",
}
"""Patterns that never see a long text, or never one that stops in the middle, and why."""


def patterns() -> Iterator[tuple[str, re.Pattern[Any], bool]]:
    """The patterns of every module: where it stands, what it is, and whether a text is searched for it everywhere."""
    for file in sorted(ROOT.rglob("*.py")):
        if file.name == "__main__.py":
            continue
        name = ".".join((ROOT.name, *file.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
        module, source = importlib.import_module(name), file.read_bytes()
        named = {key: value for key, value in vars(module).items() if isinstance(value, re.Pattern)}
        if not named and b"re." not in source:
            continue
        nodes = ast.walk(ast.parse(source))
        calls = [n for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
        for key, pattern in named.items():
            methods = _methods(calls, key)
            yield f"{name}.{key}", pattern, not methods or not methods <= ANCHORED
        for call in calls:
            if ast.unparse(call.func).startswith("re.") and attribute(call) in SEARCHES | ANCHORED:
                text = _text(call.args[0], module)
                if text is not None:
                    yield f"{name}:{call.lineno}", re.compile(text), attribute(call) in SEARCHES


def attribute(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Attribute)
    return call.func.attr


def _methods(calls: list[ast.Call], key: str) -> set[str]:
    """What is done with a pattern of this name in its module."""
    return {attribute(call) for call in calls if ast.unparse(call.func).startswith(f"{key}.")}


def _text(node: ast.expr, module: object) -> str | bytes | None:
    """The pattern that is written in a call, with a word where a name is put in."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, (str, bytes)) else None
    if isinstance(node, ast.Name):
        found = getattr(module, node.id, None)
        return found if isinstance(found, (str, bytes)) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "foo" for part in node.values)
    return None


def texts(pattern: re.Pattern[Any]) -> Iterator[str]:
    """Long texts made of what a pattern wants."""
    parsed = list(parser.parse(pattern.pattern, pattern.flags & ~re.LOCALE))
    units = {*" \n\ta1.-_/\"'[({=,:#\\", *_units(parsed)}
    units |= {f"{unit}\n" for unit in units} | {f"{unit} " for unit in units}
    beginnings = {"", *(_sample(parsed[:count], 0) for count in range(len(parsed)))}
    for unit in sorted(units, key=len)[:90]:
        for beginning in sorted(beginnings, key=len)[:5]:
            yield beginning + unit * (LENGTH // len(unit)) + "\x01"


def _units(items: list[Any]) -> Iterator[str]:
    """What every run of the parts of a pattern may match."""
    for first in range(len(items)):
        for last in range(first, len(items)):
            yield from filter(None, (_sample(items[first : last + 1], pick) for pick in range(3)))
    for kind, argument in items:
        for inner in _inner(str(kind), argument):
            yield from _units(list(inner))


def _inner(kind: str, argument: Any) -> list[Any]:
    if kind.endswith("_REPEAT"):
        return [argument[2]]
    if kind == "SUBPATTERN":
        return [argument[3]]
    return list(argument[1]) if kind == "BRANCH" else []


def _sample(items: list[Any], pick: int) -> str:
    """A text that parts of a pattern match; of alternatives, and of what may be left out, the one of that number."""
    found = ""
    for code, argument in items:
        match str(code):
            case "LITERAL":
                found += chr(argument)
            case "NOT_LITERAL":
                found += "b" if argument == ord("a") else "a"
            case "ANY":
                found += "a"
            case "IN":
                found += _member(argument)
            case "SUBPATTERN":
                found += _sample(list(argument[3]), pick)
            case "BRANCH":
                found += _sample(list(argument[1][pick % len(argument[1])]), pick)
            case kind if kind.endswith("_REPEAT"):
                found += _sample(list(argument[2]), pick) * max(argument[0], min(pick, 1))
    return found


PLAIN = {"CATEGORY_WORD": "a", "CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " ", "CATEGORY_NOT_WORD": "-"}


def _member(members: list[Any]) -> str:
    """A character of a class."""
    named: list[str] = []
    for code, argument in members:
        match str(code):
            case "LITERAL":
                named.append(chr(argument))
            case "RANGE":
                named.append(chr(argument[0]))
            case "CATEGORY":
                named.append(PLAIN.get(str(argument), "a"))
    if str(members[0][0]) != "NEGATE":
        return named[0]
    return next(char for char in "a .-(\n\0" if char not in named)


@pytest.mark.parametrize(
    ("pattern", "everywhere"),
    [pytest.param(found, everywhere, id=place) for place, found, everywhere in patterns() if place not in SHORT],
)
def test_its_time_is_that_of_the_text(pattern: re.Pattern[Any], everywhere: bool) -> None:
    for text in texts(pattern):
        given = text.encode("utf-8", "surrogatepass") if isinstance(pattern.pattern, bytes) else text
        started = time.process_time()
        if everywhere:
            for _ in pattern.finditer(given):
                pass
        else:
            pattern.match(given)
            pattern.fullmatch(given)
        assert time.process_time() - started < SECONDS, (pattern.pattern, text[:60], text[-30:])


def test_every_pattern_is_looked_at() -> None:
    found = [place for place, _, _ in patterns()]
    assert len(found) > 120
    assert SHORT.keys() <= {*found}
