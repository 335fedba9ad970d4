"""No regular expression of the package takes the square of a text that a repository may hold.

Every pattern in the source is tried on texts that repeat what it is made of: the parts that it wants, in every run of
them, and what nearly is one.  A pattern that begins anew at each of them, and goes on from there to the end of all,
takes seconds for twenty thousand characters, and hours for a file; others take milliseconds.
"""

from __future__ import annotations

import ast
import cProfile
import importlib
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pdmigrate
from pdmigrate.migrate.write import revert
from pdmigrate.model import FileKind
from pdmigrate.project.loading import load_project
from pdmigrate.settings import Settings
from tests.support.files import write
from tests.write.test_revert import migrate

if sys.version_info >= (3, 11):
    from re import _compiler as compiler
    from re import _parser as parser
else:
    import sre_compile as compiler
    import sre_parse as parser

ROOT = Path(pdmigrate.__file__).parent
LENGTH, SECONDS = 20_000, 0.25
CHARACTERS = "a1 .-(\n" + "".join(map(chr, range(sys.maxunicode)))
SEARCHES = frozenset({"search", "findall", "finditer", "split", "sub", "subn"})
ANCHORED = frozenset({"match", "fullmatch"})
SHORT = {
    "pdmigrate.project.running._DOCUMENTS": "names of files, which systems keep below 256 characters",
    "pdmigrate.source.source._TEXT": "source that Python has parsed: its quotes are closed",
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
            methods = {call.func.attr for call in calls if ast.unparse(call.func).startswith(f"{key}.")}
            yield f"{name}.{key}", pattern, not methods or not methods <= ANCHORED
        for call in calls:
            if ast.unparse(call.func).startswith("re.") and call.func.attr in SEARCHES | ANCHORED:
                text = _text(call.args[0], module)
                if text is not None:
                    yield f"{name}:{call.lineno}", re.compile(text), call.func.attr in SEARCHES


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
    for _, argument in items:
        for inner in argument if isinstance(argument, tuple) else ():
            for parts in inner if isinstance(inner, list) else [inner]:
                if isinstance(parts, parser.SubPattern):
                    yield from _units(list(parts))


def _sample(items: list[Any], pick: int) -> str:
    """A text that parts of a pattern match; of alternatives, and of what may be left out, the one of that number."""
    found = ""
    for code, argument in items:
        match str(code):
            case "LITERAL":
                found += chr(argument)
            case "NOT_LITERAL" | "ANY" | "IN":
                one = compiler.compile(parser.SubPattern(parser.State(), [(code, argument)]), re.UNICODE)
                found += next(filter(one.match, CHARACTERS))
            case "SUBPATTERN":
                found += _sample(list(argument[3]), pick)
            case "BRANCH":
                found += _sample(list(argument[1][pick % len(argument[1])]), pick)
            case kind if kind.endswith("_REPEAT"):
                found += _sample(list(argument[2]), pick) * max(argument[0], min(pick, 1))
    return found


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


SERVER = """from mcp.server import Server
from mcp.types import Tool

server = Server("s{0}")


@server.list_tools()
async def list_tools():
    return [Tool(name="do_{0}", description="Do it.", inputSchema={{"type": "object"}})]
"""


def opened(folder: Path, servers: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often something is opened while a project is read that has so many servers in one folder."""
    write(folder, {"pyproject.toml": '[project]\nname = "x"\nversion = "1"\n', "README.md": "python many/server0.py\n"})
    write(folder / "many", {f"server{number}.py": SERVER.format(number) for number in range(servers)})
    count = 0
    real = os.open

    def counted(*arguments: Any, **options: Any) -> int:
        nonlocal count
        count += 1
        return real(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", counted)
        project = load_project(folder, ".", Settings())
    assert len(project.inventory.servers) == servers
    return count


def test_a_project_of_many_servers_is_read_in_proportion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = opened(tmp_path / "few", 20, monkeypatch)
    many = opened(tmp_path / "many", 120, monkeypatch)
    assert many < 7 * few, (few, many)


def called(folder: Path, files: int) -> int:
    """How many functions are called while the revert of a migration is planned that changed so many files."""
    before = {f"{number}.py": b"a = %d\n" % number for number in range(files)}
    migrate(write(folder, before), before, {path: b"b = 1\n" + content for path, content in before.items()})
    profile = cProfile.Profile()
    plan = profile.runcall(revert.plan_revert, folder, holds_words=lambda *_: False, is_generated=lambda *_: True)
    assert len([change for change in plan.changes if change.kind is FileKind.CODE]) == files
    return sum(entry.callcount for entry in profile.getstats())


def test_a_revert_of_many_files_is_planned_in_proportion(tmp_path: Path) -> None:
    few = called(tmp_path / "few", 20)
    many = called(tmp_path / "many", 120)
    assert many < 8 * few, (few, many)
