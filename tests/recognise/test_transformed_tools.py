"""Tools that are made of others, or registered in the place of others."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.model import Known, Tool
from tests.recognise.test_decorated import servers

HEAD = """
    import os
    from fastmcp.tools import Tool
    from fastmcp.tools.tool_transform import ArgTransform
    mcp = SERVER("demo")
    def count(a: int, b: int = 1) -> int:
        \"\"\"Count.\"\"\"
        return a
    count = Tool.from_function(count, tags={"numbers"})
    flag, name = os.environ.get("FLAG"), os.environ["NAME"]
"""


def listed(folder: Path, source: str, family: str = "fastmcp4") -> dict[str | None, Tool]:
    text = HEAD + "".join(f"    {line}\n" for line in source.splitlines())
    (server,) = servers(folder, family, {"server.py": text})
    return {tool.name: tool for tool in server.tools}


def unknown(tool: Tool) -> set[str]:
    return {name for name, field in tool.fields.items() if not isinstance(field, Known)}


@pytest.mark.parametrize("family", ["fastmcp2", "fastmcp3", "fastmcp4"])
def test_a_transformed_tool_keeps_what_is_not_given_anew(tmp_path: Path, family: str) -> None:
    made = 'mcp.add_tool(Tool.from_tool(count, description="Others.", transform_args={"b": ArgTransform(hide=True)}))'
    (tool,) = listed(tmp_path, made, family).values()
    assert tool.name == "count"
    description = tool.fields["description"]
    assert isinstance(description, Known)
    assert description.value == "Others."
    assert unknown(tool) == {"inputSchema"}


def test_a_renamed_tool_has_another_title(tmp_path: Path) -> None:
    (tool,) = listed(tmp_path, 'mcp.add_tool(Tool.from_tool(count, name="other"))').values()
    assert tool.name == "other"
    assert unknown(tool) == {"inputSchema", "title"}


def test_a_tool_that_may_be_transformed_is_one_tool(tmp_path: Path) -> None:
    made = "if flag:\n    count = Tool.from_tool(count, transform_args={})\nmcp.add_tool(count)"
    (tool,) = listed(tmp_path, made).values()
    assert unknown(tool) == {"inputSchema"}


@pytest.mark.parametrize(
    "made",
    [
        "mcp.add_tool(Tool.from_tool(count, name=name) if flag else count)",
        "if flag:\n    mcp.add_tool(Tool.from_tool(count, name=name))\nelse:\n    mcp.add_tool(count)",
    ],
)
def test_nothing_is_claimed_of_a_tool_in_whose_place_another_may_have_its_name(tmp_path: Path, made: str) -> None:
    tool = listed(tmp_path, made)["count"]
    assert not tool.exact
    assert "description" in unknown(tool)
    assert tool.conditional is not None


def test_a_tool_with_another_condition_stays_known(tmp_path: Path) -> None:
    made = "if flag:\n    mcp.add_tool(Tool.from_tool(count, name=name))\nif name:\n    mcp.add_tool(count)"
    assert listed(tmp_path, made)["count"].exact
