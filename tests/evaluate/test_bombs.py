"""Bombs: what they cost is charged before it is paid."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.evaluate.bombs import MEGABYTES, PROGRAMS, SECONDS, SERVERS

FOUND = (
    "sub callable", "sub empty callable", "findall groups", "re cubic", "re quartic", "re find quadratic many",
    "title loop", "isidentifier loop", "slice tower", "tuple slices", "keep texts", "keep fstrings", "enum class",
    "expandtabs kw", "doc ljust", "doc expandtabs", "doc wrap", "encode idna", "decode punycode", "percent dict",
    "percent bytes", "percent s many", "format repeat", "format map", "str of tuple of texts", "dumps astral",
    "json dumps separators", "textwrap wrap", "textwrap fill", "textwrap dedent loop", "cleandoc loop", "getdoc loop",
    "fraction exp", "fraction tower", "chain star", "zip_longest", "copy deep", "enum iterate", "split many groups",
    "json loads wide", "json loads nested wide", "ints in lists", "partial args", "combinations r", "nested functions",
    "shared sides",
)  # fmt: skip
"""Programs that took more than their share, or that are like those that did."""
FOUND_SERVERS = (
    "literal built", "union literals", "tuple wide", "optional tower", "annotated tower", "dict tower alias",
    "tuple tower alias", "list deep alias", "schema shared tower", "schema ref tower", "schema ref anyOf tower",
    "default shared", "field pattern default", "schema pattern", "literal", "dense numbers", "dense numbers, few",
    "dense lines", "dense lines, few", "dense imports, few", "dense fields of text", "dense fields of text, few",
    "type alias recursion",
)  # fmt: skip
EXPLODE = """
import json, sys
from tests.evaluate.bombs import took
for row in took(json.loads(line) for line in sys.stdin):
    print(json.dumps(row), flush=True)
"""


@pytest.fixture(scope="module")
def explode() -> Iterator[Callable[[str], tuple[str, float, int, str]]]:
    """Has a bomb go off in a process of its own: its name, processor time, megabytes, how it ended."""
    process = subprocess.Popen(
        [sys.executable, "-c", EXPLODE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process, ExitStack() as stack:
        stack.callback(process.kill)
        assert process.stdin is not None
        assert process.stdout is not None
        asked, answers = process.stdin, process.stdout

        def one(name: str) -> tuple[str, float, int, str]:
            asked.write(f"{json.dumps(name)}\n")
            asked.flush()
            came, seconds, megabytes, said = json.loads(answers.readline())
            return came, seconds, megabytes, said

        yield one


def test_the_names_are_those_of_the_table() -> None:
    assert set(FOUND) <= PROGRAMS.keys()
    assert set(FOUND_SERVERS) <= SERVERS.keys()


@pytest.mark.parametrize("name", [*FOUND, *FOUND_SERVERS])
def test_a_bomb_goes_off_in_a_small_room(name: str, explode: Callable[[str], tuple[str, float, int, str]]) -> None:
    came, seconds, megabytes, said = explode(name)
    assert came == name
    assert "mistake" not in said
    assert seconds < SECONDS, said
    assert megabytes < MEGABYTES, said
