"""Sources of servers whose tools are functions, in the layout that formatters give them."""

from __future__ import annotations

from collections.abc import Mapping

RUN = '\n\nif __name__ == "__main__":\n    mcp.run()\n'


def decorated(
    name: str, tools: Mapping[str, str], *, run: bool = False, package: str = "mcp.server.fastmcp", first: str = ""
) -> str:
    """A module with a server; ``tools`` are docstrings by signature, ``first`` goes before its imports."""
    made = f'{first}from {package} import FastMCP\n\nmcp = FastMCP("{name}")\n'
    for signature, described in tools.items():
        given = signature.partition("(")[2].partition(":")[0]
        made += f'\n\n@mcp.tool()\ndef {signature} -> str:\n    """{described}"""\n    return {given}\n'
    return made + (RUN if run else "")
