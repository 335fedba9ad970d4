"""``typing`` keeps the first of types that it takes for equal: where a program writes two orders, none is claimed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pdmigrate.model import Known
from pdmigrate.understand.inventory.extract import extract
from tests.support.extracted import VERSIONS, write_sources

SERVER = """
from typing import Annotated, Any, Callable, Dict, List, Literal, Optional, Union
from mcp.server.fastmcp import FastMCP
import other
app = FastMCP("demo")
{alias}
@app.tool()
def known(given: {written}) -> str: ...
"""
OTHER = "import typing\nfrom typing import *\ndef helper(given: {written}): ...\n"
UNSETTLED = {
    "a union": ("Optional[list[str] | str]", "Optional[str | list[str]]"),
    "a union of typing": ("Optional[Union[List[int], int]]", "Optional[Union[int, List[int]]]"),
    "both ways to write one": ("Optional[list[str] | str]", "typing.Optional[typing.Union[str, list[str]]]"),
    "a literal": ('Optional[Literal["a", "b"]]', 'Optional[Literal["b", "a"]]'),
    "in a list": ("List[str | int]", "List[int | str]"),
    "in a dict": ("Dict[str, str | int]", "Dict[str, int | str]"),
    "deep inside": ("Optional[list[dict[str, int | str]]]", "Optional[list[dict[str, str | int]]]"),
}
SETTLED = {
    "one order": ("Optional[list[str] | str]", "Optional[list[str] | str]"),
    "another type": ("Optional[list[str] | str]", "Optional[str | list[int]]"),
    "without typing": ("list[str] | str | None", "str | list[str] | None"),
    "its own order": ("Union[list[str], str]", "Union[str, list[str]]"),
    "no alternatives": ("Optional[str]", "Optional[int]"),
}


def _schema_is_known(tmp_path: Path, written: str, elsewhere: str, alias: str = "") -> bool:
    sources = {"server.py": SERVER.format(written=written, alias=alias), "other.py": OTHER.format(written=elsewhere)}
    write_sources(tmp_path, sources)
    (server,) = extract(tmp_path, sdk=VERSIONS).servers
    (tool,) = server.tools
    return isinstance(tool.fields["inputSchema"], Known)


@pytest.mark.parametrize(("written", "elsewhere"), UNSETTLED.values(), ids=UNSETTLED)
def test_two_orders_of_equal_types_settle_nothing(tmp_path: Path, written: str, elsewhere: str) -> None:
    assert not _schema_is_known(tmp_path, written, elsewhere)


@pytest.mark.parametrize(("written", "elsewhere"), SETTLED.values(), ids=SETTLED)
def test_all_else_is_known(tmp_path: Path, written: str, elsewhere: str) -> None:
    assert _schema_is_known(tmp_path, written, elsewhere)


def test_an_alias_is_what_it_stands_for(tmp_path: Path) -> None:
    alias = "Texts = list[str] | str"
    assert not _schema_is_known(tmp_path, "Optional[Texts]", "Optional[str | list[str]]", alias)


@pytest.mark.parametrize(("written", "elsewhere"), UNSETTLED.values(), ids=UNSETTLED)
def test_python_does_so(written: str, elsewhere: str) -> None:
    code = f"import typing\nfrom typing import *\nfirst = {elsewhere}\nprint({written} is first, {written!r})"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60).stdout
    assert shown.startswith("True")
