"""Tools of classes of the program that derive from the SDK's class of tools, and tools that are made of others."""

from __future__ import annotations

from pathlib import Path

from tests.understand.servers.test_decorated import servers

HEAD = """
    import os
    from fastmcp.tools import FunctionTool, Tool
    mcp = SERVER("demo")
    def count(a: int, b: int = 1) -> int: "Count."
"""
SAME = "    mcp.add_tool(FunctionTool.from_function(count, name='same', tags={'numbers'}))\n"


def test_a_class_that_may_list_otherwise_is_not_followed(tmp_path: Path) -> None:
    own = "    class Own(FunctionTool):\n        def to_mcp_tool(self, **options):\n            return None\n"
    (server,) = servers(tmp_path, "fastmcp4", f"{HEAD}{own}    mcp.add_tool(Own.from_function(count))\n{SAME}")
    assert "count" not in [tool.name for tool in server.tools if tool.exact]
    assert server.incomplete is not None


def test_whether_a_tool_is_of_such_a_class_is_not_known(tmp_path: Path) -> None:
    encoding = """
    class Encoding(FunctionTool):
        def convert_result(self, raw_value):
            return self._encode(raw_value)
    class Own(Encoding):
        def _encode(self, data):
            return str(data)
    mcp.add_tool(Own.from_function(count, tags={"numbers"}))
    made = Own.from_function(count, name="third")
    if isinstance(made, Own):
        mcp.add_tool(made)
"""
    (server,) = servers(tmp_path, "fastmcp4", HEAD + SAME + encoding)
    assert [tool.name for tool in server.tools if not tool.conditional] == ["same", "count"]


def test_a_tool_with_another_condition_stays_known(tmp_path: Path) -> None:
    made = """
    count = Tool.from_function(count, tags={"numbers"})
    name = os.environ["NAME"]
    if os.environ.get("FLAG"):
        mcp.add_tool(Tool.from_tool(count, name=name))
    if name:
        mcp.add_tool(count)
"""
    (server,) = servers(tmp_path, "fastmcp4", HEAD + made)
    assert [tool.exact for tool in server.tools if tool.name == "count"] == [True]
