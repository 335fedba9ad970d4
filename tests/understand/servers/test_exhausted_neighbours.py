"""A server too complex to evaluate, beside others: it loses what it asks for, and takes nothing from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.model import Known, Server, Unknown
from pdmigrate.understand.inventory.extract import extract
from tests.support.files import write

SDK = {"fastmcp": "4.1.2", "mcp": "2.3.0", "pydantic": "2.14.3"}
WARM = (
    "def warm():\n    number = 0\n    for _ in range(1000):\n        for _ in range(1000):\n            number += 1\n"
    "    return number\n\n"
)
DECORATED = (
    "from fastmcp import FastMCP\nserver = FastMCP('{name}')\n{before}\n"
    '@server.tool(description={text})\ndef look(a: int) -> str:\n    return ""\n\n{after}\nserver.run()\n'
)
LOW_LEVEL = (
    "from mcp.server import Server\nfrom mcp.types import ListToolsResult, Tool\n{before}\n"
    "async def handle(context, params):\n    {after}\n"
    "    return ListToolsResult(tools=[Tool(name='look', description={text}, input_schema={{'type': 'object'}})])\n\n"
    "server = Server('{name}', on_list_tools=handle)\n"
)
BUSY = {"busy at its start": ("'Looks.'", True), "busy with a text": ("f'Looks {warm()} times.'", False)}


def servers_of(root: Path, busy: str, calm: str, first: str, text: str) -> dict[str | None, Server]:
    second = "calm" if first == "busy" else "busy"
    sources = {
        "busy": busy.format(name="busy", before=WARM, after="warm()", text=text),
        "calm": calm.format(name="calm", before="", after="", text="'Looks.'"),
    }
    for letter, kind in (("a", first), ("b", second)):
        write(root, {f"{letter}/server.py": sources[kind]})
    return {server.site.file[0]: server for server in extract(root, sdk=SDK).servers}


@pytest.mark.parametrize("first", ["busy", "calm"])
@pytest.mark.parametrize(("busy", "calm"), [(DECORATED, LOW_LEVEL), (LOW_LEVEL, DECORATED)], ids=["decorated", "low"])
@pytest.mark.parametrize(("text", "settled"), BUSY.values(), ids=BUSY)
def test_a_neighbour_keeps_all_of_its_tools(
    busy: str, calm: str, first: str, text: str, settled: bool, tmp_path: Path
) -> None:
    servers = servers_of(tmp_path, busy, calm, first, text)
    one, other = ("a", "b") if first == "busy" else ("b", "a")
    for server in servers.values():
        assert server.incomplete is None
        (tool,) = server.tools
        assert tool.conditional is None
        assert isinstance(tool.fields["inputSchema"], Known)
    assert servers[other].tools[0].fields["description"].text == "Looks."
    asked = servers[one].tools[0].fields["description"]
    if settled:
        assert asked.text == "Looks."
    else:
        assert isinstance(asked, Unknown)
        assert "too much to evaluate" in asked.reason
