"""Tools that are made of others, or registered in the place of others."""

from __future__ import annotations

from pathlib import Path

from tests.understand.servers.test_decorated import servers

SOURCE = """
    import os
    from fastmcp.tools import Tool
    mcp = SERVER("demo")
    def count(a: int, b: int = 1) -> int:
        \"\"\"Count.\"\"\"
        return a
    count = Tool.from_function(count, tags={"numbers"})
    name = os.environ["NAME"]
    if os.environ.get("FLAG"):
        mcp.add_tool(Tool.from_tool(count, name=name))
    if name:
        mcp.add_tool(count)
"""


def test_a_tool_with_another_condition_stays_known(tmp_path: Path) -> None:
    (server,) = servers(tmp_path, "fastmcp4", {"server.py": SOURCE})
    assert [tool.exact for tool in server.tools if tool.name == "count"] == [True]
