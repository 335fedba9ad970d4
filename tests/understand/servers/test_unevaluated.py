"""Servers of programs that are too much to evaluate: they are named, and nothing false is said of their tools."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.model import Anchor
from pdmigrate.understand.demand import run
from pdmigrate.understand.inventory.extract import extract
from tests.support.files import write

SDK = {"fastmcp": "4.1.2", "mcp": "2.3.0", "pydantic": "2.14.3"}
FACTORY = """\
def create():
    for number in range(4000):
        last = number
    server = Desk('desk')
    return server

if __name__ == '__main__':
    create().run()
"""


@pytest.fixture(autouse=True)
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "STEPS", 2_000)
    monkeypatch.setattr(run, "WHOLE", 4_000)


def sites(folder: Path, files: dict[str, str], sdk: dict[str, str]) -> tuple[list[tuple[str, str, int]], list[str]]:
    """The servers that are found, and the codes of what is said."""
    write(folder, files)
    inventory = extract(folder, sdk=sdk)
    for server in inventory.servers:
        assert (server.tools, isinstance(server.anchor, Anchor)) == ((), True)
        assert server.incomplete is not None
        assert "there is too much to evaluate here" in server.incomplete
    found = [(server.dialect, server.site.file, server.site.line) for server in inventory.servers]
    return found, [one.code for one in inventory.all_findings()]


def test_a_server_that_is_not_got_to_is_found_by_its_class(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "from pkg.desk import Desk\n",
        "pkg/desk.py": "from fastmcp import FastMCP\nclass Desk(FastMCP): pass\n",
        "pkg/app.py": f"from pkg import Desk\n{FACTORY}",
    }
    found, codes = sites(tmp_path, files, SDK)
    assert found == [("fastmcp4", "pkg/app.py", 5)]
    assert "PD201" in codes


def test_what_may_be_something_else_is_no_server(tmp_path: Path) -> None:
    imports = "from fastmcp import FastMCP\nfrom mcp.server.fastmcp import FastMCP as Desk\n"
    assert sites(tmp_path, {"app.py": imports + FACTORY}, SDK)[0] == []


@pytest.mark.parametrize(
    ("family", "line", "sdk"),
    [
        ("mcp1-fastmcp", "from mcp.server.fastmcp import FastMCP as Desk", {"mcp": "1.30.0", "pydantic": "2.14.3"}),
        ("mcp2-mcpserver", "from mcp.server import MCPServer as Desk", {"mcp": "2.3.0", "pydantic": "2.14.3"}),
        ("fastmcp2", "from fastmcp import FastMCP as Desk", {**SDK, "fastmcp": "2.14.7", "mcp": "1.30.0"}),
        ("fastmcp3", "from fastmcp import FastMCP as Desk", {**SDK, "fastmcp": "3.4.10", "mcp": "1.30.0"}),
    ],
)
def test_the_family_is_that_of_the_class(family: str, line: str, sdk: dict[str, str], tmp_path: Path) -> None:
    found, _ = sites(tmp_path, {"app.py": f"{line}\n{FACTORY}"}, sdk)
    assert found == [(family, "app.py", 5)]


SERVER = """\
from fastmcp import FastMCP

server = FastMCP("desk")

@server.tool
def look(name: str) -> str: "Look."
"""
STARTED = f"{SERVER}\nif __name__ == '__main__':\n    server.run()\n"
PROJECT = {
    "pyproject.toml": "[project]\nname = 'desk'\nversion = '1'\n[project.scripts]\ndesk = 'pkg.cli:main'\n",
    "pkg/__init__.py": "",
    "pkg/server.py": STARTED,
}
COUNTING = "    for number in range(4000):\n        last = number\n"
HUNGRY = f"""\
from fastmcp import FastMCP

def count():
{COUNTING}
def create():
    count()
    return FastMCP("desk")

create().run()
"""


def tools(folder: Path, files: dict[str, str], file: str) -> list[tuple[str, bool]]:
    """The tools of the server in ``file``, and whether everything is known of each."""
    write(folder, files)
    (server,) = (one for one in extract(folder, sdk=SDK).servers if one.site.file == file)
    assert server.incomplete is None
    return [(str(tool.name), tool.exact) for tool in server.tools]


def test_hungry_servers_take_nothing_from_others(tmp_path: Path) -> None:
    hungry = {f"a{number}.py": HUNGRY for number in range(8)}
    assert tools(tmp_path, {**hungry, "b.py": STARTED, "c.py": HUNGRY}, "b.py") == [("look", True)]


def test_a_text_that_is_too_much_is_lost_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    loops = "    for _ in range(1000):\n        for _ in range(1000):\n            last += 1\n"
    warm = f"def warm():\n    last = 0\n{loops}    return last\n"
    text = warm + SERVER.replace(".tool", ".tool(description=str(warm()))")
    (server,) = extract(write(tmp_path, {"app.py": text}), sdk=SDK).servers
    (tool,) = server.tools
    assert (server.incomplete, tool.conditional, tool.unknown.keys()) == (None, None, {"description"})
    assert "too much to evaluate" in tool.unknown["description"].reason


def test_a_hungry_command_leaves_its_server(tmp_path: Path) -> None:
    files = {
        **PROJECT,
        "pkg/cli.py": f"def main():\n{COUNTING}    from pkg.server import server\n    server.run()\n",
    }
    assert tools(tmp_path, files, "pkg/server.py") == [("look", True)]


def test_a_list_that_is_too_much_keeps_the_names(tmp_path: Path) -> None:
    middleware = """
from fastmcp.server.middleware import Middleware
class Counting(Middleware):
    async def on_list_tools(self, context, call_next):
        tools = await call_next(context)
        number = 0
        while True:
            number += 1
server.add_middleware(Counting())
server.run()
"""
    (server,) = extract(write(tmp_path, {"app.py": f"{SERVER}\n{middleware}"}), sdk=SDK).servers
    assert server.incomplete
    assert [(tool.name, tool.exact, bool(tool.conditional)) for tool in server.tools] == [("look", False, True)]


def test_a_file_that_was_executed_to_its_end_is_not_too_much(tmp_path: Path) -> None:
    counting = "".join(f"def count{n}():\n{COUNTING}" for n in range(60))
    calls = "".join(f"    count{n}()\n" for n in range(60))
    files = {
        **PROJECT,
        "pkg/cli.py": f"from pkg.server import server\n{counting}\ndef main():\n{calls}    server.run()\n",
        "pkg/docs.py": "from fastmcp import FastMCP\n\ndef make():\n    raise ValueError\n    return FastMCP('docs')\n",
    }
    write(tmp_path, files)
    assert "pkg/docs.py" not in {one.file for one in extract(tmp_path, sdk=SDK).all_findings() if one.code == "PD201"}
