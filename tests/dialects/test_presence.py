"""What is said to be on the list for certain: tools of the module itself, however the server is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.project.extract import extract

SDK = {"mcp": "1.29.1", "pydantic": "2.14.3"}
SERVER = """\
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("desk")

@mcp.tool()
def look(name: str) -> str:
    "Look."
    return name
"""
RUN = "def serve():\n    mcp.run()\n"
SCRIPT = "[project]\nname = 'pkg'\nversion = '1'\n[project.scripts]\ndesk = 'pkg.cli:app'\n"
COMMAND = "import typer\nfrom .server import serve\napp = typer.Typer()\n\n@app.command()\ndef stdio():\n    serve()\n"
CLICK = """\
import click
from .server import serve

@click.command()
@click.option("--port")
def app(port):
    serve()
"""
GROUP = """\
import click
from .server import serve

@click.group()
def app():
    pass

@app.command()
def run():
    serve()
"""
LATER = 'def more():\n    @mcp.tool()\n    def extra() -> str:\n        "More."\n        return ""\n    mcp.run()\n'

CERTAIN = {
    "nothing starts it": {"server.py": SERVER},
    "a main block": {"server.py": f"{SERVER}\nif __name__ == '__main__':\n    mcp.run()\n"},
    "typer in a main block": {
        "server.py": f"{SERVER}\nimport typer\napp = typer.Typer()\n\n@app.command()\n{RUN}\n"
        "if __name__ == '__main__':\n    app()\n"
    },
    "typer as a console script": {
        "pyproject.toml": SCRIPT,
        "pkg/__init__.py": "",
        "pkg/server.py": f"{SERVER}\n{RUN}",
        "pkg/cli.py": COMMAND,
    },
    "click as a console script": {
        "pyproject.toml": SCRIPT,
        "pkg/__init__.py": "",
        "pkg/server.py": f"{SERVER}\n{RUN}",
        "pkg/cli.py": CLICK,
    },
    "a group of commands": {
        "pyproject.toml": SCRIPT,
        "pkg/__init__.py": "",
        "pkg/server.py": f"{SERVER}\n{RUN}",
        "pkg/cli.py": GROUP,
    },
    "a function of another module": {
        "pkg/__init__.py": "",
        "pkg/server.py": SERVER,
        "pkg/launch.py": "from pkg.server import mcp\n\ndef go(port):\n    mcp.run()\n",
    },
    "a function that nothing calls": {"server.py": f"{SERVER}\n{RUN}"},
}


def conditions(folder: Path, files: dict[str, str]) -> dict[str, bool]:
    """Whether each tool may be absent."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    (server,) = extract(folder, sdk=SDK).servers
    return {str(tool.name): tool.conditional is not None for tool in server.tools}


@pytest.mark.parametrize("files", CERTAIN.values(), ids=CERTAIN)
def test_what_the_module_registers_is_there(files: dict[str, str], tmp_path: Path) -> None:
    assert conditions(tmp_path, files) == {"look": False}


def test_what_a_function_registers_that_nothing_calls_may_be_absent(tmp_path: Path) -> None:
    assert conditions(tmp_path, {"server.py": f"{SERVER}\n{LATER}"}) == {"look": False, "extra": True}


def test_what_is_registered_under_a_condition_may_be_absent(tmp_path: Path) -> None:
    branch = "import os\nif os.environ.get('MORE'):\n    @mcp.tool()\n    def extra() -> str:\n        return ''\n"
    assert conditions(tmp_path, {"server.py": f"{SERVER}\n{branch}\n{RUN}"}) == {"look": False, "extra": True}
