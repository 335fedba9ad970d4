"""Old releases, as they were seen to answer: mcp 1.9.0 with pydantic 2.11.4, and mcp 1.1.2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import pdmigrate
from tests.support.files import write

SERVER = """
from typing import Annotated
from mcp.server.fastmcp import FastMCP
from pydantic import Field

mcp = FastMCP("m")

@mcp.tool()
def page(name: Annotated[str, Field(description="A page")], start: Annotated[int, Field(GIVEN)], many: int = 2) -> str:
    "Read."
    return name
"""


@pytest.mark.parametrize("mcp", ["1.6.0", "1.9.0", "1.13.1"])
def test_a_default_within_annotated_is_not_known_before_mcp_1_21(tmp_path: Path, mcp: str) -> None:
    """With pydantic 2.11.4 these releases send it, with 2.12.4 they require the parameter."""
    given = ("--format", "json", "--no-write", "--sdk", f"mcp=={mcp}", "--sdk", "pydantic==2.11.4")
    found = {}
    for text in ("default=0", "ge=1"):
        write(tmp_path, {"server.py": SERVER.replace("GIVEN", text)})
        (server,) = json.loads(pdmigrate("extract", tmp_path, *given).stdout)["servers"]
        (found[text],) = server["tools"]
    assert found["ge=1"]["definition"]["inputSchema"]["required"] == ["name", "start"]
    assert [unknown["reason"] for unknown in found["default=0"]["unknown"]] == [
        "whether the default in the annotation of start counts depends on pydantic's release"
    ]


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
def alpha(x: int) -> str: ...
@mcp.tool()
def beta(PARAMETER) -> RESULT: ...
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
def test_fastmcp_2_14_7_lists_no_model_that_holds_itself(tmp_path: Path, row: tuple[str, str, str]) -> None:
    server = held(tmp_path, row, "2.14.7")
    assert server["complete"] is not True
    assert all(tool["conditional"] for tool in server["tools"])


@pytest.mark.parametrize(
    ("row", "version"),
    [
        *((row, "3.4.10") for row in ENDLESS),
        (("int = 1", "node: Node", "Node"), "2.14.7"),
    ],
)
def test_others_list_it(tmp_path: Path, row: tuple[str, str, str], version: str) -> None:
    server = held(tmp_path, row, version)
    assert server["complete"] is True
    assert not any(tool["conditional"] for tool in server["tools"])
