"""What fastmcp 2.14.7 was seen to answer where a model holds itself: no list."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import pdmigrate
from tests.support.files import write

HOLDING = """
from typing import Optional
from fastmcp import FastMCP
from pydantic import BaseModel
mcp = FastMCP("m")
class Other(BaseModel):
    node: Optional["Node"] = None
class Node(BaseModel):
    inner: INNER
class Box(BaseModel):
    node: Node
@mcp.tool()
def alpha(x: int) -> str:
    return "a"
@mcp.tool()
def beta(PARAMETER) -> RESULT:
    return "b"
mcp.run()
"""
ENDLESS = (
    ("list['Node'] = []", "node: Node", "str"),
    ("Optional['Node'] = None", "node: Optional[Node] = None", "str"),
    ("dict[str, 'Node'] = {}", "node: list[Node]", "str"),
    ("Optional[Other] = None", "node: Node", "str"),
    ("list['Node'] = []", "one: int, box: Box", "str"),
    ("list['Node'] = []", "", "list[Node]"),
)


def held(folder: Path, row: tuple[str, str, str], version: str) -> Any:
    inner, parameter, result = row
    text = HOLDING.replace("INNER", inner).replace("PARAMETER", parameter).replace("RESULT", result)
    write(folder, {"server.py": text})
    given = ("--sdk", f"fastmcp=={version}", "--sdk", "pydantic==2.14.3", "--sdk", "mcp==1.30.0")
    ran = pdmigrate("extract", folder, "--format", "json", "--no-write", *given)
    return json.loads(ran.stdout)["servers"][0]


@pytest.mark.parametrize("row", ENDLESS)
def test_the_list_of_fastmcp_2_14_7_fails_with_a_model_that_holds_itself(
    tmp_path: Path, row: tuple[str, str, str]
) -> None:
    server = held(tmp_path, row, "2.14.7")
    assert server["complete"] is not True
    assert all(tool["conditional"] for tool in server["tools"])


@pytest.mark.parametrize(
    ("row", "version"),
    [
        *((row, "3.4.10") for row in ENDLESS),
        (("int = 1", "node: Node", "Node"), "2.14.7"),
        (("list['Node'] = []", "", "Node"), "2.14.7"),
    ],
)
def test_others_list_it(tmp_path: Path, row: tuple[str, str, str], version: str) -> None:
    server = held(tmp_path, row, version)
    assert server["complete"] is True
    assert not any(tool["conditional"] for tool in server["tools"])
