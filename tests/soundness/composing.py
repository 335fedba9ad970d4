# ruff: noqa: E501 - most sources stand in one line
"""Servers put together from others, tools with versions, and objects that tools share with the program."""

from __future__ import annotations

from tests.soundness.sources import FAST, OFFICIAL, PROVIDED, Case, server

FM2 = ("fastmcp2",)
MCP1 = ("mcp1-fastmcp",)
_RUN = "\nif __name__ == '__main__':\n    mcp.run()\n"


def _versions(*made: tuple[str, str]) -> dict[str, str]:
    parts = [
        f"@mcp.tool(name='calc', version={version!r})\ndef calc_{number}({parameters}) -> str:\n    'Number {number}.'\n    return 'a'\n"
        for number, (version, parameters) in enumerate(made)
    ]
    return {"server.py": "from HOME import SERVER\nmcp = SERVER('m')\n" + "\n".join(parts) + _RUN}


VERSIONS = {
    "the older one last": Case(PROVIDED, _versions(("2.0", "a: int, b: int = 2"), ("1.0", "a: int"))),
    "the newer one last": Case(PROVIDED, _versions(("1.0", "a: int"), ("2.0", "a: int, b: int = 2"))),
    "ten after two": Case(PROVIDED, _versions(("10.0", "a: int"), ("2.0", "a: int, b: int = 2"))),
    "a word and a number": Case(PROVIDED, _versions(("1.0", "a: int"), ("zeta", "b: int"))),
    "one version twice": Case(PROVIDED, _versions(("1.0", "a: int"), ("1.0", "b: int"))),
    "a version and none": Case(
        PROVIDED,
        {"server.py": "from HOME import SERVER\nmcp = SERVER('m')\n@mcp.tool(version='1.0')\ndef alpha(x: int) -> str:\n    return 'a'\n@mcp.tool(name='alpha')\ndef plain(x: int) -> str:\n    return 'a'\n" + _RUN},
    ),
    "a version from the environment": Case(
        PROVIDED,
        {"server.py": "import os\nfrom HOME import SERVER\nmcp = SERVER('m')\n@mcp.tool(version=os.environ.get('V', '0.5'))\ndef alpha(x: int) -> str:\n    return 'a'\n@mcp.tool(name='alpha', version='1.0')\ndef one(y: int) -> str:\n    return 'a'\n" + _RUN},
    ),
    "a higher version is mounted": Case(
        PROVIDED,
        {"server.py": "from HOME import SERVER\nmcp = SERVER('m')\npart = SERVER('p')\n@mcp.tool(version='1.0')\ndef calc(x: int) -> str:\n    return 'a'\n@part.tool(name='calc', version='2.0')\ndef other(y: int) -> str:\n    return 'a'\nmcp.mount(part)\n" + _RUN},
    ),
    "one of them is removed": Case(
        PROVIDED,
        {"server.py": "from HOME import SERVER\nmcp = SERVER('m')\n@mcp.tool(version='1.0')\ndef calc(x: int) -> str:\n    return 'a'\n@mcp.tool(name='calc', version='2.0')\ndef other(y: int) -> str:\n    return 'a'\nmcp.local_provider.remove_tool('calc', version='2.0')\n" + _RUN},
    ),
    "versions by Tool objects": Case(
        PROVIDED,
        {"server.py": "from HOME import SERVER\nfrom fastmcp.tools import Tool\nmcp = SERVER('m')\ndef one(x: int) -> str:\n    return 'a'\ndef two(y: int) -> str:\n    return 'a'\nmcp.add_tool(Tool.from_function(two, name='calc', version='2.0'))\nmcp.add_tool(Tool.from_function(one, name='calc', version='1.0'))\n" + _RUN},
    ),
}  # fmt: skip

_PART = "import asyncio\nfrom HOME import SERVER\nmcp = SERVER('m')\npart = SERVER('part')\n@part.tool\ndef one(x: int) -> str:\n    'Of the part.'\n    return 'p'\n"
_TWO = "@mcp.tool\ndef two(x: int) -> str:\n    'Two.'\n    return '2'\n"
IMPORTS = ("fastmcp2", "fastmcp3")
COPIES = {
    "imported after an own tool": Case(IMPORTS, {"server.py": _PART + _TWO + "asyncio.run(mcp.import_server(part, prefix='part'))\n" + _RUN}),
    "an own tool of the same name later": Case(IMPORTS, {"server.py": _PART + "asyncio.run(mcp.import_server(part))\n@mcp.tool\ndef one(y: str) -> int:\n    'Own.'\n    return 1\n" + _RUN}),
    "an own tool of the same name before": Case(IMPORTS, {"server.py": _PART + "@mcp.tool(name='one')\ndef own(y: str) -> int:\n    'Own.'\n    return 1\nasyncio.run(mcp.import_server(part))\n" + _RUN}),
    "a tool that the part gets later": Case(IMPORTS, {"server.py": _PART + "asyncio.run(mcp.import_server(part, prefix='part'))\n@part.tool\ndef late(y: str) -> int:\n    return 1\n" + _TWO + _RUN}),
    "a tool that the part loses later": Case(FM2, {"server.py": _PART + "asyncio.run(mcp.import_server(part, prefix='part'))\npart.remove_tool('one')\n" + _TWO + _RUN}),
    "removed after it was imported": Case(FM2, {"server.py": _PART + "asyncio.run(mcp.import_server(part, prefix='part'))\nmcp.remove_tool('part_one')\n" + _TWO + _RUN}),
    "mounted before an own tool": Case(FAST, {"server.py": _PART + "mcp.mount(part)\n@mcp.tool(name='one')\ndef own(y: str) -> int:\n    'Own.'\n    return 1\n" + _RUN}),
    "mounted, and it gets more later": Case(FAST, {"server.py": _PART + "mcp.mount(part)\n@part.tool\ndef late(y: str) -> int:\n    return 1\n" + _TWO + _RUN}),
    "two parts of the same names": Case(IMPORTS, {"server.py": _PART + "more = SERVER('more')\n@more.tool(name='one')\ndef other(z: float) -> int:\n    'Other.'\n    return 1\nasyncio.run(mcp.import_server(part))\nasyncio.run(mcp.import_server(more))\n" + _TWO + _RUN}),
}  # fmt: skip


SHARED = {
    "annotations and what is in meta": Case(
        MCP1,
        server(
            before="from mcp.types import ToolAnnotations\nhints = ToolAnnotations(readOnlyHint=True)\nmeta = {'groups': ['a']}",
            between="@mcp.tool(annotations=hints, meta=meta)\ndef gamma(z: int) -> str:\n    return 'c'",
            after="hints.title = 'Later'\nmeta['groups'].append('b')",
        ),
        settled=("alpha", "beta"),
    ),
    "meta itself": Case(
        (*OFFICIAL, *PROVIDED),
        server(
            before="meta = {'groups': ['a']}",
            between="@mcp.tool(meta=meta)\ndef gamma(z: int) -> str:\n    return 'c'",
            after="meta['more'] = 1",
        ),
        settled=("alpha", "beta"),
    ),
    "annotations of several tools": Case(
        (*OFFICIAL, *FAST),
        server(
            before="from mcp.types import ToolAnnotations\nhints = ToolAnnotations(title='Now')",
            between="@mcp.tool(annotations=hints)\ndef gamma(z: int) -> str:\n    return 'c'\n@mcp.tool(annotations=hints)\ndef delta(z: int) -> str:\n    return 'c'",
            after="setattr(hints, 'title', 'Later')",
        ),
        settled=("alpha", "beta"),
    ),
    "tags of a tool": Case(
        FM2, server(options=", exclude_tags={'hidden'}", after="beta.tags.add('hidden')")
    ),
    "tags of a tool that is asked for": Case(
        FM2,
        server(options=", exclude_tags={'hidden'}", after="import asyncio\nasyncio.run(mcp.get_tool('beta')).tags.add('hidden')"),
    ),
    "tags of a tool, updated": Case(FM2, server(options=", exclude_tags={'hidden'}", after="beta.tags |= {'hidden'}")),
    "tags of a tool, in a function": Case(
        FM2, server(options=", exclude_tags={'hidden'}", after="def hide(tool):\n    tool.tags.update({'hidden'})\nhide(beta)")
    ),
    "tags that tools share": Case(
        FM2,
        server(
            before="TAGS = {'a'}",
            options=", exclude_tags={'hidden'}",
            between="@mcp.tool(tags=TAGS)\ndef gamma(z: int) -> str:\n    return 'c'",
            after="TAGS.add('hidden')",
        ),
    ),
    "the text of a tool": Case(FM2, server(after="beta.description = 'Later.'")),
    "the schema of a tool": Case(FM2, server(after="beta.parameters['properties'].pop('y')")),
    "the schema of a tool in place": Case(FM2, server(after="beta.parameters['properties']['y']['title'] = 'Later'")),
    "an output schema": Case(
        FAST,
        server(
            before="OUT = {'type': 'object', 'properties': {}}",
            between="@mcp.tool(output_schema=OUT)\ndef gamma(z: int) -> dict:\n    return {}",
            after="OUT['properties']['later'] = {'type': 'string'}",
        ),
    ),
    "icons": Case(
        (*OFFICIAL, *FAST),
        server(
            before="from mcp.types import Icon\nICONS = [Icon(src='https://a.example/1.png')]",
            between="@mcp.tool(icons=ICONS)\ndef gamma(z: int) -> str:\n    return 'c'",
            after="ICONS.append(Icon(src='https://a.example/2.png'))",
        ),
    ),
}  # fmt: skip


_NODE = "from typing import Annotated, Optional\nfrom pydantic import BaseModel, Field\nclass Node(BaseModel):\n    size: int = 2\n    below: Optional[list['Node']] = None"


def _of_nodes(described: str, other: str, returned: str = "str") -> dict[str, str]:
    tools = f"@mcp.tool()\ndef one(x: {described}) -> str:\n    'One.'\n    return ''\n@mcp.tool()\ndef two(y: {other}) -> {returned}:\n    'Two.'\n    return None"
    return server(before=_NODE, after=tools)


_SAID = "Annotated[Node, Field(description='d')]"
RECURSIVE = {
    "described, then plain": Case((*OFFICIAL, *PROVIDED), _of_nodes(_SAID, "Node")),
    "described, then in a list": Case(PROVIDED, _of_nodes(_SAID, "list[Node]")),
    "described, then with a default": Case(PROVIDED, _of_nodes(_SAID, "Node = None")),
    "described, then returned": Case(PROVIDED, _of_nodes(_SAID, "int", "Node")),
    "described by a default, then plain": Case(PROVIDED, _of_nodes("Node = Field(description='d')", "Node")),
    "with a title, then plain": Case(PROVIDED, _of_nodes("Annotated[Node, Field(title='d')]", "Node")),
    "described twice": Case(PROVIDED, _of_nodes(_SAID, "Annotated[Node, Field(description='e')]"), settled=("one", "two")),
    "plain twice": Case(PROVIDED, _of_nodes("Node", "Node"), settled=("one", "two")),
}  # fmt: skip

TABLES: dict[str, dict[str, Case]] = {"versions": VERSIONS, "copies": COPIES, "shared": SHARED, "recursive": RECURSIVE}
