"""A server too complex to evaluate, beside others: it is named with its function, and takes nothing from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.inventory.extract import extract
from pdmigrate.model import Inventory, Known
from tests.support.files import write

SDK = {"fastmcp": "4.1.2", "mcp": "2.3.0", "pydantic": "2.14.3"}
WARM = "def warm():\n    number = 0\n    while number < 900000:\n        number += 1\n\n"
DECORATED = (
    "from fastmcp import FastMCP\nserver = FastMCP('{name}')\n{before}\n"
    '@server.tool\ndef look(a: int) -> str:\n    """Looks."""\n    return ""\n\n{after}\nserver.run()\n'
)
LOW_LEVEL = (
    "from mcp.server import Server\nfrom mcp.types import ListToolsResult, Tool\n{before}\n"
    "async def handle(context, params):\n    {after}\n"
    "    return ListToolsResult(tools=[Tool(name='look', description='Looks.', input_schema={{'type': 'object'}})])\n\n"
    "server = Server('{name}', on_list_tools=handle)\n"
)


def inventory_of(root: Path, busy: str, calm: str, first: str) -> Inventory:
    second = "calm" if first == "busy" else "busy"
    sources = {
        "busy": busy.format(name="busy", before=WARM, after="warm()"),
        "calm": calm.format(name="calm", before="", after=""),
    }
    for letter, kind in (("a", first), ("b", second)):
        write(root, {f"{letter}/server.py": sources[kind]})
    return extract(root, sdk=SDK)


@pytest.mark.parametrize("first", ["busy", "calm"])
@pytest.mark.parametrize(("busy", "calm"), [(DECORATED, LOW_LEVEL), (LOW_LEVEL, DECORATED)], ids=["decorated", "low"])
def test_a_neighbour_keeps_all_of_its_tools(busy: str, calm: str, first: str, tmp_path: Path) -> None:
    inventory = inventory_of(tmp_path, busy, calm, first)
    file = f"{'b' if first == 'busy' else 'a'}/server.py"
    (server,) = (server for server in inventory.servers if server.site.file == file)
    assert server.incomplete is None
    (tool,) = server.tools
    assert tool.conditional is None
    assert {"name", "description", "inputSchema"} <= {
        name for name, field in tool.fields.items() if isinstance(field, Known)
    }
    (other,) = (server for server in inventory.servers if server.site.file != file)
    assert other.incomplete is not None
    assert "warm()" in other.incomplete
