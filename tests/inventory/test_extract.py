"""Extraction of whole trees."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pdmigrate.understand.inventory.extract import extract
from tests.support.files import write
from tests.understand.sources import VERSIONS, servers_in

HEAD = "from mcp.server import Server\nfrom mcp.types import Tool\nserver = Server('demo')\n"
ONE = '@server.list_tools()\nasync def handle():\n    return [Tool(name="one", description="One.", inputSchema={})]\n'


def test_one_server_does_not_see_what_the_other_registered(tmp_path: Path) -> None:
    made = "".join(
        f"""
def {name}():
    server = Server("{name}")
    TOOLS.append(Tool(name="{name}", inputSchema={{}}))
    @server.list_tools()
    async def handle():
        return TOOLS
    return server
"""
        for name in "ab"
    )
    servers = servers_in(tmp_path, {"app.py": HEAD.partition("server =")[0] + "TOOLS = []\n" + made})
    for server, own in zip(servers, "ab", strict=True):
        names = [tool.name for tool in server.tools]
        assert names == [own] or (names == [] and server.incomplete)


def test_sources_are_the_files_that_the_result_depends_on(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/server.py": HEAD + "from .text import TEXT\n" + ONE.replace('"One."', "TEXT"),
        "pkg/text.py": "from pathlib import Path\nTEXT = (Path(__file__).parent / 'one.txt').read_text()\n",
        "pkg/one.txt": "One.",
        "pkg/unrelated.py": "x = 1\n",
    }
    inventory = extract(write(tmp_path, files), sdk=VERSIONS)
    assert inventory.servers[0].tools[0].definition["description"] == "One."
    assert inventory.sources == ("pkg/__init__.py", "pkg/one.txt", "pkg/server.py", "pkg/text.py")


def test_a_broken_module_that_is_imported_makes_only_its_names_unknown(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/broken.py": "x = (\n",
        "pkg/server.py": HEAD + "from .broken import x\n" + ONE.replace('"One."', "x"),
    }
    (server,) = servers_in(tmp_path, files)
    (tool,) = server.tools
    assert list(tool.unknown) == ["description"]


def test_a_tree_without_servers_needs_no_parser(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x = 1\n"})
    code = (
        "import sys; from pathlib import Path; from pdmigrate.understand.inventory.extract import extract; "
        "extract(Path(sys.argv[1])); assert 'libcst' not in sys.modules and 'pydantic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, timeout=60)


def test_a_handler_that_never_ends_is_named_and_its_server_incomplete(tmp_path: Path) -> None:
    endless = "@server.list_tools()\nasync def handle():\n    while True:\n        pass\n"
    inventory = extract(write(tmp_path, {"server.py": HEAD + endless}), sdk=VERSIONS)
    assert inventory.findings == ()
    (server,) = inventory.servers
    assert server.tools == ()
    assert "the list handler raises" in str(server.incomplete)
