"""Tools that are made of others, or registered in the place of others."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from pdmigrate.model import Known, Tool
from tests.understand.servers.decorated_sources import files
from tests.understand.servers.test_decorated import listed_by_sdk, servers

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


def _source(made: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in made.splitlines())


def listed(folder: Path, made: str, family: str = "fastmcp4") -> dict[str | None, Tool]:
    (server,) = servers(folder, family, {"server.py": _source(made)})
    return {tool.name: tool for tool in server.tools}


def unknown(tool: Tool) -> set[str]:
    return {name for name, field in tool.fields.items() if not isinstance(field, Known)}


TRANSFORMED = {
    "what is given": 'description="Others.", transform_args={"b": ArgTransform(hide=True)}',
    "a name": 'name="other"',
    "a name and a title": 'name="other", title="A title"',
    "tags": 'tags={"others"}',
    "fields that are taken away": "description=None, title=None, annotations=None, output_schema=None, meta=None",
    "annotations": 'annotations={"readOnlyHint": True}, meta={"a": 1}',
    "nothing": "",
}


@cache
def truth(family: str) -> dict[str, Any]:
    plain = dedent(HEAD).replace('os.environ["NAME"]', '""')
    made = {name: f"{plain}mcp.add_tool(Tool.from_tool(count, {given}))\n" for name, given in TRANSFORMED.items()}
    return listed_by_sdk(family, {name: files(family, source) for name, source in made.items()})


@pytest.mark.parametrize("name", TRANSFORMED)
@pytest.mark.parametrize("family", ["fastmcp2", "fastmcp3", "fastmcp4"])
def test_a_transformed_tool_keeps_what_is_not_given_anew(tmp_path: Path, family: str, name: str) -> None:
    (wanted,) = truth(family)[name]
    (tool,) = listed(tmp_path, f"mcp.add_tool(Tool.from_tool(count, {TRANSFORMED[name]}))", family).values()
    assert unknown(tool) == {"inputSchema"}
    assert tool.definition == {key: value for key, value in wanted.items() if key != "inputSchema"}


CHOSEN = {
    "a function by a name": "if flag:\n    count = Tool.from_tool(count, transform_args={})\nmcp.add_tool(count)",
    "one of two": "mcp.add_tool(Tool.from_tool(count, name=name) if flag else count)",
    "one of two calls": "if flag:\n    mcp.add_tool(Tool.from_tool(count, name=name))\nelse:\n    mcp.add_tool(count)",
}


@pytest.mark.parametrize("made", CHOSEN.values(), ids=CHOSEN)
def test_a_tool_that_may_be_transformed_is_not_listed_for_certain(tmp_path: Path, made: str) -> None:
    (server,) = servers(tmp_path, "fastmcp4", {"server.py": _source(made)})
    assert server.incomplete
    assert all(tool.conditional for tool in server.tools)


def test_a_tool_with_another_condition_stays_known(tmp_path: Path) -> None:
    made = "if flag:\n    mcp.add_tool(Tool.from_tool(count, name=name))\nif name:\n    mcp.add_tool(count)"
    assert listed(tmp_path, made)["count"].exact
