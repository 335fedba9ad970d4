"""Tools that are made of others, or registered in the place of others."""

from __future__ import annotations

from pathlib import Path

from pdmigrate.model import Tool
from tests.understand.servers.test_decorated import servers

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


def test_a_tool_with_another_condition_stays_known(tmp_path: Path) -> None:
    made = "if flag:\n    mcp.add_tool(Tool.from_tool(count, name=name))\nif name:\n    mcp.add_tool(count)"
    assert listed(tmp_path, made)["count"].exact
