"""Bombs: what they cost is charged before it is paid."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pdmigrate.evaluate.core import reasons
from pdmigrate.inventory.extract import extract
from pdmigrate.knowledge.types.type_specs import MOST_PARTS
from pdmigrate.model import Unknown
from tests.evaluate.bombs import MEGABYTES, PROGRAMS, SECONDS, SERVERS, fast

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
    "literal built", "optional tower", "annotated tower", "dict tower alias",
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


@pytest.mark.parametrize(
    "annotation",
    [
        pytest.param(lambda parts: f"tuple[{'int, ' * parts}]", id="tuple wide"),
        pytest.param(lambda parts: f"Union[{', '.join(f'Literal[{i}]' for i in range(parts))}]", id="union literals"),
    ],
)
def test_a_type_of_too_many_parts_is_unknown(annotation: Callable[[int], str], tmp_path: Path) -> None:
    """Five times as many take no more than any bomb may, so that only the answer tells."""

    def schema(parts: int) -> object:
        (tmp_path / "server.py").write_text(fast("", f"x: {annotation(parts)}"), encoding="utf-8")
        [server] = extract(tmp_path).servers
        return server.tools[0].fields["inputSchema"]

    assert not isinstance(schema(MOST_PARTS // 4), Unknown)
    refused = schema(MOST_PARTS + 1)
    assert isinstance(refused, Unknown)
    assert (refused.code, refused.reason) == (reasons.BUDGET, f"a type of {MOST_PARTS + 1:,} parts")
