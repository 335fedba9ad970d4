"""Tools of classes of the program that derive from the SDK's class of tools."""

from __future__ import annotations

from pathlib import Path

from pdmigrate.model import Server
from tests.understand.servers.test_decorated import servers

HEAD = """
    from typing import Any
    from fastmcp.tools import FunctionTool
    mcp = SERVER("demo")
    {classes}
    def count(a: int) -> int:
        \"\"\"Count.\"\"\"
        return a
    mcp.add_tool(Own.from_function(count, tags={"numbers"}))
    mcp.add_tool(FunctionTool.from_function(count, name="same", tags={"numbers"}))
    {after}
"""
ENCODING = """
    class Encoding(FunctionTool):
        \"\"\"A tool with results of its own.\"\"\"
        def _encode(self, data: Any) -> str:
            raise NotImplementedError
        def convert_result(self, raw_value: Any) -> Any:
            return self._encode(raw_value)
    class Own(Encoding):
        def _encode(self, data: Any) -> str:
            return str(data)
"""


def read(folder: Path, classes: str, after: str = "") -> Server:
    text = HEAD.replace("{classes}", classes.strip()).replace("{after}", after)
    (server,) = servers(folder, "fastmcp4", {"server.py": text})
    return server


def test_a_class_that_may_list_otherwise_is_not_followed(tmp_path: Path) -> None:
    member = "def to_mcp_tool(self, **options: Any) -> Any:\n            return None"
    server = read(tmp_path, f"class Own(FunctionTool):\n        {member}")
    assert "count" not in [tool.name for tool in server.tools if tool.exact]
    assert server.incomplete is not None


def test_whether_a_tool_is_of_such_a_class_is_not_known(tmp_path: Path) -> None:
    after = "made = Own.from_function(count, name='third')\n    if isinstance(made, Own):\n        mcp.add_tool(made)"
    assert [tool.name for tool in read(tmp_path, ENCODING, after).tools if not tool.conditional] == ["count", "same"]
