# ruff: noqa: E501 - most sources stand in one line
"""Servers put together from others, tools with versions, and objects that tools share with the program."""

from __future__ import annotations

from tests.soundness.sources import FAST, PROVIDED, Case, server

FM2 = ("fastmcp2",)
_RUN = "\nif __name__ == '__main__':\n    mcp.run()\n"


VERSIONS = {
    "a version from the environment": Case(
        PROVIDED,
        {"server.py": "import os\nfrom HOME import SERVER\nmcp = SERVER('m')\n@mcp.tool(version=os.environ.get('V', '0.5'))\ndef alpha(x: int) -> str:\n    return 'a'\n@mcp.tool(name='alpha', version='1.0')\ndef one(y: int) -> str:\n    return 'a'\n" + _RUN},
    ),
    "a higher version is mounted": Case(
        PROVIDED,
        {"server.py": "from HOME import SERVER\nmcp = SERVER('m')\npart = SERVER('p')\n@mcp.tool(version='1.0')\ndef calc(x: int) -> str:\n    return 'a'\n@part.tool(name='calc', version='2.0')\ndef other(y: int) -> str:\n    return 'a'\nmcp.mount(part)\n" + _RUN},
    ),
}  # fmt: skip

_PART = "import asyncio\nfrom HOME import SERVER\nmcp = SERVER('m')\npart = SERVER('part')\n@part.tool\ndef one(x: int) -> str:\n    'Of the part.'\n    return 'p'\n"
IMPORTS = ("fastmcp2", "fastmcp3")
COPIES = {
    "an own tool of the same name before": Case(IMPORTS, {"server.py": _PART + "@mcp.tool(name='one')\ndef own(y: str) -> int:\n    'Own.'\n    return 1\nasyncio.run(mcp.import_server(part))\n" + _RUN}),
    "mounted before an own tool": Case(FAST, {"server.py": _PART + "mcp.mount(part)\n@mcp.tool(name='one')\ndef own(y: str) -> int:\n    'Own.'\n    return 1\n" + _RUN}),
}  # fmt: skip


SHARED = {
    "tags of a tool that is asked for": Case(
        FM2,
        server(options=", exclude_tags={'hidden'}", after="import asyncio\nasyncio.run(mcp.get_tool('beta')).tags.add('hidden')"),
    ),
}  # fmt: skip


_NODE = "from typing import Annotated, Optional\nfrom pydantic import BaseModel, Field\nclass Node(BaseModel):\n    size: int = 2\n    below: Optional[list['Node']] = None"


def _of_nodes(described: str, other: str, returned: str = "str") -> dict[str, str]:
    tools = f"@mcp.tool()\ndef one(x: {described}) -> str:\n    'One.'\n    return ''\n@mcp.tool()\ndef two(y: {other}) -> {returned}:\n    'Two.'\n    return None"
    return server(before=_NODE, after=tools)


_SAID = "Annotated[Node, Field(description='d')]"
RECURSIVE = {
    "described, then in a list": Case(PROVIDED, _of_nodes(_SAID, "list[Node]")),
}  # fmt: skip

TABLES: dict[str, dict[str, Case]] = {"versions": VERSIONS, "copies": COPIES, "shared": SHARED, "recursive": RECURSIVE}
