"""docs/seeds.md: every row says what is done and where it is shown, and the tests that it names are there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "seeds.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (?!section \|)(.+) \|$", PAGE, re.M)
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))
DOCUMENTS = {
    "The specification": 70,
    "The implementation guide": 55,
    "The page on tools": 25,
    "dashdash": 45,
    "trustgraph": 20,
}
"""The documents, and how many rows each has at least."""


@cache
def named_in(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_a_test_that_is_named_exists(path: str, name: str) -> None:
    assert name in named_in(path)


@pytest.mark.parametrize("row", ROWS)
def test_no_row_is_empty(row: str) -> None:
    section, requirement, here, shown = (cell.strip() for cell in row.split(" | "))
    assert section
    assert requirement
    assert here
    assert re.fullmatch(r"`tests/[\w/]+\.py::test_\w+`(?:, `tests/[\w/]+\.py::test_\w+`)*", shown)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_document_is_there(document: str) -> None:
    (part,) = [part for part in PAGE.split("\n## ")[1:] if part.startswith(document)]
    assert part.count("`tests/") >= DOCUMENTS[document]
