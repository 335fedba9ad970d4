"""``typing`` keeps the first of types that it takes for equal: where a program writes two orders, none is claimed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pdmigrate.model import Known
from tests.support.environments import FASTMCP3, environment
from tests.support.files import write
from tests.understand.sources import servers_in, understood

SERVER = """
from typing import Annotated, Any, Callable, Dict, List, Literal, Optional, Union
from mcp.server.fastmcp import FastMCP
from pydantic import Field as F
import other
app = FastMCP("demo")
{alias}
@app.tool()
def known(given: {written}) -> str: ...
"""
OTHER = "import typing\nfrom typing import *\nfrom pydantic import Field as F\ndef helper(given: {written}): ...\n"
UNSETTLED = {
    "a union": ("Optional[list[str] | str]", "Optional[str | list[str]]"),
    "a union of typing": ("Optional[Union[List[int], int]]", "Optional[Union[int, List[int]]]"),
    "both ways to write one": ("Optional[list[str] | str]", "typing.Optional[typing.Union[str, list[str]]]"),
    "a literal": ('Optional[Literal["a", "b"]]', 'Optional[Literal["b", "a"]]'),
    "in a list": ("List[str | int]", "List[int | str]"),
    "in a dict": ("Dict[str, str | int]", "Dict[str, int | str]"),
    "deep inside": ("Optional[list[dict[str, int | str]]]", "Optional[list[dict[str, str | int]]]"),
    "a literal or none": ('Literal["a", "b"] | None', 'Literal["b", "a"] | None'),
    "numbers": ("Literal[-1, 1] | None", "Union[Literal[1, -1], None]"),
    "more than two": ('int | str | Literal["a"]', 'str | int | Literal["a"]'),
    "with a list of typing": ("int | List[str] | None", "List[str] | int | None"),
    "annotated": ("Annotated[int | str, 1]", "Annotated[str | int, 1]"),
}
SETTLED = {
    "one order": ("Optional[list[str] | str]", "Optional[list[str] | str]"),
    "another type": ("Optional[list[str] | str]", "Optional[str | list[int]]"),
    "without typing": ("list[str] | str | None", "str | list[str] | None"),
    "its own order": ("Union[list[str], str]", "Union[str, list[str]]"),
    "no alternatives": ("Optional[str]", "Optional[int]"),
    "a literal, one order": ('Literal["a", "b"] | None', 'Optional[Literal["a", "b"]]'),
    "other literals": ('Literal["a", "b"] | None', 'Literal["a", "c"] | None'),
    "a literal by itself": ('Literal["a", "b"]', 'Literal["b", "a"]'),
    "a literal in a list": ('list[Literal["a", "b"]]', 'list[Literal["b", "a"]]'),
    "two of which one is a literal": ('int | Literal["a"]', 'Literal["a"] | int'),
    "a literal that nothing keeps": ('Literal["a", "b"] | None', 'Literal["b", "a"]'),
    "annotated with a field": ('Annotated[Literal["a", "b"], F("x")]', 'Annotated[Literal["b", "a"], F("x")]'),
    "in a list of Python": ("list[int | str]", "list[str | int]"),
}


def _schema_is_known(tmp_path: Path, written: str, elsewhere: str, alias: str = "") -> bool:
    server_, other = SERVER.format(written=written, alias=alias), OTHER.format(written=elsewhere)
    (server,) = servers_in(tmp_path, {"server.py": server_, "other.py": other})
    (tool,) = server.tools
    return isinstance(tool.fields["inputSchema"], Known)


@pytest.mark.parametrize(("written", "elsewhere"), UNSETTLED.values(), ids=UNSETTLED)
def test_two_orders_of_equal_types_settle_nothing(tmp_path: Path, written: str, elsewhere: str) -> None:
    assert not _schema_is_known(tmp_path, written, elsewhere)


@pytest.mark.parametrize(("written", "elsewhere"), SETTLED.values(), ids=SETTLED)
def test_all_else_is_known(tmp_path: Path, written: str, elsewhere: str) -> None:
    assert _schema_is_known(tmp_path, written, elsewhere)


ALIASES = {
    "a union": ("Texts = list[str] | str", "Optional[Texts]", "Optional[str | list[str]]"),
    "a literal": ('Size = Literal["a", "b"]', "Size | None", 'Literal["b", "a"] | None'),
    "a literal of another name": ('One = Literal["a", "b"]; Two = Literal["b", "a"]', "One | None", "int"),
    "in a text": ("", 'Literal["a", "b"] | None', "\"Literal['b', 'a'] | None\""),
}


@pytest.mark.parametrize(("alias", "written", "elsewhere"), ALIASES.values(), ids=ALIASES)
def test_an_alias_is_what_it_stands_for(tmp_path: Path, alias: str, written: str, elsewhere: str) -> None:
    assert not _schema_is_known(tmp_path, written, elsewhere, alias)


@pytest.mark.parametrize(("written", "elsewhere"), UNSETTLED.values(), ids=UNSETTLED)
def test_python_does_so(written: str, elsewhere: str) -> None:
    code = f"import typing\nfrom typing import *\nfirst = {elsewhere}\nprint({written} is first, {written!r})"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60).stdout
    assert shown.startswith("True")


@pytest.mark.parametrize(("written", "elsewhere"), SETTLED.values(), ids=SETTLED)
def test_python_keeps_these_apart(written: str, elsewhere: str) -> None:
    """What is settled: in the process that makes the other type first, this one still prints as it is written."""
    print_it = f"from typing import *\nfrom pydantic import Field as F\nprint(repr({written}))"
    alone, after = (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60).stdout
        for code in (print_it, print_it.replace("F\n", f"F\nfirst = {elsewhere}\n"))
    )
    assert after == alone


# --- results, which fastmcp keeps by their types ----------------------------------------------------------------------

RESULTS = """
from typing import Any, Literal, Optional
from fastmcp import FastMCP
mcp = FastMCP("demo")
"""
RESULT = """
@mcp.tool
def {name}() -> {written}: ...
"""
KEPT = {
    "a_union": ("dict[str, Any] | list[int]", "list[int] | dict[str, Any]"),
    "in_a_list": ("list[int | str]", "list[str | int]"),
    "in_an_object": ("dict[str, float | str]", "dict[str, str | float]"),
}
APART = {
    "one_order": ("dict[str, int] | list[int]", "dict[str, int] | list[int]"),
    "another_type": ("dict[str, bool] | list[bool]", "list[str] | dict[str, bool]"),
    "fewer": ("bool | str | None", "str | bool"),
    "none_first": ("str | None", "None | str"),
    "no_alternatives": ("list[int]", "list[str]"),
    "a_literal_by_itself": ('Literal["a", "b"]', 'Literal["a", "c"]'),
}
ASK = """
import asyncio, json, server
from fastmcp import Client

async def ask():
    async with Client(server.mcp) as client:
        return {tool.name: json.dumps(tool.outputSchema) for tool in await client.list_tools()}

print(json.dumps(asyncio.run(ask())))
"""


def _sent(folder: Path) -> dict[str, str]:
    """The schemas that fastmcp lists for the results of the server in this folder, as text."""
    command = [str(environment(FASTMCP3)), "ask.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=120)
    return dict(json.loads(done.stdout))


def test_fastmcp_keeps_the_first_of_equal_results(tmp_path: Path) -> None:
    alone = [RESULT.format(name=name, written=written) for name, (written, _) in (KEPT | APART).items()]
    before = [RESULT.format(name=f"before_{name}", written=other) for name, (_, other) in (KEPT | APART).items()]
    both = RESULTS + "".join((*before, *alone))
    write(tmp_path / "alone", {"server.py": RESULTS + "".join(alone), "ask.py": ASK})
    write(tmp_path / "both", {"ask.py": ASK})
    (server,) = understood(tmp_path / "both", {"fastmcp": "3.4.10"}, server=both)
    found = {str(tool.name): tool.fields["outputSchema"] for tool in server.tools}
    lone, sent = _sent(tmp_path / "alone"), _sent(tmp_path / "both")
    assert {name for name in lone if lone[name] != sent[name]} == {*KEPT}
    known = {name: field.value for name, field in found.items() if isinstance(field, Known)}
    assert {name for name in lone if name not in known} == {*KEPT}
    assert known == {name: json.loads(sent[name]) for name in known}
