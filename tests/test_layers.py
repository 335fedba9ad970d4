"""The rooms form layers, and the modules no circle: read off their imports."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pdmigrate
from pdmigrate.understand.evaluation import PARTS

ROOT = Path(pdmigrate.__file__).parent.parent
ROOMS = (
    *("", "names", "errors", "model", "counting", "sdk", "sdk.families", "sdk.constructors", "findings", "escaping"),
    *("agent", "sdk.names", "disk", "disk.vcs", "source", "understand.index", "understand.doubt", "sdk.schemas"),
    *("understand", "describe.lifting", "runtime", "describe", "describe.dashdash", "project.rewrite"),
    *("understand.inventory", "settings", "record", "project.shipping", "project", "live.wire", "live.verify", "live"),
    *("audit", "report.export", "migrate", "migrate.write", "migrate.plan", "migrate.check", "wrap", "report", "cli"),
    "__main__",
)
"""Folders and flat modules below ``pdmigrate`` from the lowest to the highest: none imports any after it."""
MOST_ROOMS = 14
"""The folders directly below ``pdmigrate``: as many as a reader holds in the head."""
READING = {
    *("disk", "disk.vcs", "source", "understand.doubt", "sdk.schemas", "runtime", "understand.inventory", "settings"),
    *("record", "project.shipping", "project", "audit", "live.verify", "migrate.write", "migrate.check", "report"),
    *("cli", "understand", "understand.index", "wrap"),
}
"""The rooms that ask the disk; ``audit``, ``live.verify``, ``report``, ``runtime``, ``sdk.schemas`` for own files."""
CHANGES = {
    *("create", "keep", "link", "make_folder", "make_root", "put"),
    *("remove", "remove_folder", "remove_tree", "replace", "sync"),
}
"""What ``disk`` has that changes something."""
WRITING = {
    "source/kept.py": "what is kept between runs, in the user's cache",
    "disk/vcs/git.py": "what git is to merge, in a temporary folder",
    "cli/audit.py": "the page that was asked for",
    "cli/wrap.py": "the folder that was asked for",
    "cli/export.py": "the files that were asked for",
    "migrate/write/": "what is planned",
}


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def modules() -> dict[str, ast.Module]:
    paths = (ROOT / "pdmigrate").rglob("*.py")
    return {_name(path): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def _imported(tree: ast.AST, *, inner: bool = True, types: bool = False) -> Iterator[str]:
    """The imported modules, with ``inner`` also those that functions import, with ``types`` those for annotations."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            full = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in modules() else node.module for name in full)
        for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        in_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        if (types or not for_types) and (inner or not in_function):
            yield from _imported(node, inner=inner, types=types)


def test_there_is_no_circle() -> None:
    graph = {name: set(_imported(tree, types=True)) & modules().keys() - {name} for name, tree in modules().items()}
    assert len(list(TopologicalSorter(graph).static_order())) == len(modules())


def _room(module: str) -> str:
    """The innermost room of ``ROOMS`` that a module is in."""
    inner = module.removeprefix("pdmigrate").removeprefix(".")
    return max((room for room in ROOMS if inner == room or inner.startswith(f"{room}.")), key=len, default=inner)


def test_every_room_has_its_place() -> None:
    assert {_room(name) for name in modules()} == {*ROOMS}


def test_the_top_is_seen_at_a_glance() -> None:
    folders = {path.parent.name for path in (ROOT / "pdmigrate").glob("*/__init__.py")}
    assert len(folders) == MOST_ROOMS


def test_a_room_imports_no_higher_one() -> None:
    upwards = {
        (name, imported)
        for name, tree in modules().items()
        for imported in _imported(tree, types=True)
        if imported in modules() and ROOMS.index(_room(imported)) > ROOMS.index(_room(name))
    }
    assert not upwards


def test_a_module_that_understands_servers_waits_for_no_other_one() -> None:
    waiting = {
        (name, imported)
        for name, tree in modules().items()
        for imported in set(_imported(tree)) - set(_imported(tree, inner=False))
        if _room(name) == "understand" and imported in modules()
    }
    assert not waiting


def test_the_tables_of_the_understanding_are_filled_where_everything_is_imported() -> None:
    rooms = tuple(f"pdmigrate.understand.{room}." for room in ("demand", "library", "servers"))
    filling = {name for name in modules() if name.startswith(rooms)}
    assert len(filling) > 30
    assert {module.__name__ for module in PARTS} == filling


def test_the_rooms_between_reading_and_writing_do_not_ask_the_disk() -> None:
    asking = {_room(name) for name, tree in modules().items() if any(_of_disk(tree))}
    assert asking == READING


def test_who_changes_the_disk() -> None:
    writing = {
        name.removeprefix("pdmigrate.").replace(".", "/") + ".py"
        for name, tree in modules().items()
        if _room(name) != "disk" and not CHANGES.isdisjoint(_of_disk(tree))
    }
    assert writing
    assert not {path for path in writing if not path.startswith(tuple(WRITING))}
    assert not {place for place in WRITING if not any(path.startswith(place) for path in writing)}


def _of_disk(tree: ast.AST) -> Iterator[str]:
    """The names of ``disk`` that a module uses."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "disk":
            yield node.attr
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pdmigrate.disk"):
            yield from (alias.name for alias in node.names)


OF_PROJECTS = frozenset({".pdmigrate/", ".pdmigrate/lock.json", "_server.json", "lock.json"})


def test_the_map_names_what_is_there() -> None:
    known = [
        f"/{path.relative_to(ROOT).as_posix()}"
        for room in ("pdmigrate", "templates", "tests", "benchmarks", "sample_servers", "docs")
        for path in ((ROOT / room), *(ROOT / room).rglob("*"))
    ]
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w./]+(?:\.py|\.j2|\.json|/))`", page)
    assert len(named) > 100
    missing = {name for name in named if not any(path.endswith(f"/{name.rstrip('/')}") for path in known)}
    assert missing <= OF_PROJECTS
