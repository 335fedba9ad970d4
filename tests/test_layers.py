"""The rooms that understand servers form layers, and their modules no circle: read off their imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pdmigrate
from pdmigrate.families import FAMILIES

ROOT = Path(pdmigrate.__file__).parent.parent
ROOMS = ("tree", "schemas", "evaluate", "recognise")
"""From the lowest to the highest: a room imports none that stands after it."""
DECLARING = (
    *("CALLS", "ATTRIBUTES", "EXPRESSIONS", "STATEMENTS", "TARGETS", "TRUTHS", "ELEMENTS", "HANDED_OVER"),
    *("LENGTHS", "METHODS", "TYPES", "INSTANCES", "COPIES"),
)


KNOWN = tuple(f"pdmigrate.evaluate.{room}." for room in ("builtin", "library", "types"))
"""Prefixes of the modules that are leaves: what is known of libraries, imported because it is there."""
ASKED_BY_OTHERS = {"pdmigrate.recognise.watchers"}
"""Modules that other rooms ask, and no family."""


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def modules() -> dict[str, ast.Module]:
    paths = (path for room in ROOMS for path in (ROOT / "pdmigrate" / room).rglob("*.py"))
    return {_name(path): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def _imported(tree: ast.AST, *, inner: bool = True) -> Iterator[str]:
    """The modules of these rooms that are imported when ``tree`` runs, with ``inner`` also those in functions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            full = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in modules() else node.module for name in full)
        for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        if not for_types and (inner or not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))):
            yield from _imported(node, inner=inner)


def test_there_is_no_circle() -> None:
    graph = {name: set(_imported(tree)) & modules().keys() - {name} for name, tree in modules().items()}
    assert len(list(TopologicalSorter(graph).static_order())) == len(modules())


def _room(module: str) -> int:
    return ROOMS.index(module.split(".")[1])


def test_a_room_imports_no_higher_one() -> None:
    upwards = {
        (name, imported)
        for name, tree in modules().items()
        for imported in _imported(tree)
        if imported in modules() and _room(imported) > _room(name)
    }
    assert not upwards


def test_the_language_knows_no_library() -> None:
    asked = {
        (name, imported)
        for name, tree in modules().items()
        for imported in _imported(tree)
        if name.startswith(("pdmigrate.evaluate.core.", "pdmigrate.evaluate.language.")) and imported.startswith(KNOWN)
    }
    assert not asked


def test_a_module_that_understands_servers_waits_for_no_other_one() -> None:
    waiting = {
        (name, imported)
        for name, tree in modules().items()
        for imported in set(_imported(tree)) - set(_imported(tree, inner=False))
        if name.startswith(("pdmigrate.evaluate.", "pdmigrate.recognise.")) and imported in modules()
    }
    assert not waiting


def test_an_interpreter_is_made_where_everything_is_imported() -> None:
    calls = {
        name
        for name, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Interpreter"
    }
    assert calls == {"pdmigrate.recognise.everything"}


def test_everything_that_says_how_something_is_done_is_imported_there() -> None:
    declaring = {
        name
        for name, tree in modules().items()
        if any(
            ast.unparse(decorator).startswith(tuple(f"{table}.of(" for table in DECLARING))
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef)
            for decorator in node.decorator_list
        )
    }
    assert len(declaring) > 20
    assert declaring <= _reached({"pdmigrate.recognise.everything"})


def test_no_module_is_forgotten() -> None:
    rooms = ("evaluate", "recognise")
    packages = {name.rpartition(".")[0] for name in modules()}
    known = {name for name in modules() if name.split(".")[1] in rooms} - packages
    asked = {"pdmigrate.recognise.world", *(f"pdmigrate.recognise.{family.dialect}" for family in FAMILIES)}
    assert len(known) > 100
    assert not known - _reached(asked) - ASKED_BY_OTHERS


def _reached(start: set[str]) -> set[str]:
    """The modules that are imported with these."""
    reached, waiting = set[str](), list(start)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += set(_imported(modules()[name], inner=False)) & modules().keys()
            if name == "pdmigrate.recognise.everything":
                waiting += [module for module in modules() if module.startswith(KNOWN)]
    return reached
