"""Modules of the evaluator form no circle, and an interpreter knows everything: read off their imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pdmigrate

ROOT = Path(pdmigrate.__file__).parent.parent
EVALUATE = ROOT / "pdmigrate" / "evaluate"
DIALECTS = ROOT / "pdmigrate" / "dialects"
DECLARING = (
    *("CALLS", "ATTRIBUTES", "EXPRESSIONS", "STATEMENTS", "TARGETS", "TRUTHS", "ELEMENTS", "HANDED_OVER"),
    *("LENGTHS", "METHODS", "TYPES", "INSTANCES", "COPIES"),
)


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def modules() -> dict[str, ast.Module]:
    return {_name(path): ast.parse(path.read_text()) for path in EVALUATE.rglob("*.py")}


def _imported(tree: ast.AST, *, inner: bool = True) -> Iterator[str]:
    """The modules of the evaluator that are imported when ``tree`` runs, with ``inner`` also those in functions."""
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


def test_only_what_reads_a_tree_waits_with_its_imports() -> None:
    waiting = {name for name, tree in modules().items() if set(_imported(tree)) - set(_imported(tree, inner=False))}
    assert {name.rpartition(".")[0] for name in waiting} <= {"pdmigrate.evaluate.tree", "pdmigrate.evaluate.types"}


def test_an_interpreter_is_made_where_everything_is_imported() -> None:
    calls = {
        name
        for name, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Interpreter"
    }
    assert calls == {"pdmigrate.evaluate.everything"}


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
    assert declaring <= _reached({"pdmigrate.evaluate.everything"})


def test_no_module_of_what_is_known_is_forgotten() -> None:
    rooms = ("language", "builtin", "library", "types", "sdk")
    known = {name for name in modules() if name.startswith(tuple(f"pdmigrate.evaluate.{room}." for room in rooms))}
    assert len(known) > 70
    asked = {name for path in DIALECTS.glob("*.py") for name in _imported(ast.parse(path.read_text(encoding="utf-8")))}
    assert known <= _reached({"pdmigrate.evaluate.everything", *asked} & modules().keys())


def _reached(start: set[str]) -> set[str]:
    """The modules that are imported with these."""
    reached, waiting = set[str](), list(start)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += set(_imported(modules()[name], inner=False)) & modules().keys()
    return reached
