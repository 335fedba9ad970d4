"""Nothing of a target is imported or run, whatever it is called and whichever command looks at it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.files import write

TRAP = """
import os, sys, pathlib, subprocess, builtins
pathlib.Path({trap!r}).write_text("sprung")
open({trap!r}, "w").write("sprung")
os.system("touch " + {trap!r})
subprocess.run(["touch", {trap!r}])
exec("open({trap!r}, 'w')")
__import__("os").mkdir({trap!r})
class Meta(type):
    def __new__(cls, *args, **kwargs):
        open({trap!r}, "w")
        return super().__new__(cls, *args, **kwargs)
    def __init__(cls, *args):
        open({trap!r}, "w")
class Sprung(metaclass=Meta):
    open({trap!r}, "w")
    def __init_subclass__(cls):
        open({trap!r}, "w")
    def __set_name__(self, owner, name):
        open({trap!r}, "w")
    def __del__(self):
        open({trap!r}, "w")
class Child(Sprung): ...
def spring(function):
    open({trap!r}, "w")
    return function
@spring
def decorated(default=open({trap!r}, "w")): ...
"""
SERVER = """
from mcp.server import Server
from mcp.types import Tool
from . import other
server = Server("trap")
@server.list_tools()
async def tools():
    os.remove(__file__)
    return [Tool(name="a", description="A", inputSchema={"type": "object"})]
sys.exit(3)
"""
TRAPPED = (
    "pkg/__init__.py", "pkg/__main__.py", "pkg/py.py", "conftest.py", "sitecustomize.py", "usercustomize.py",
    "setup.py", "json.py", "typing.py", "libcst.py", "mcp.py", "pydantic.py", "jsonschema.py", "tomllib.py",
    "noxfile.py",
)  # fmt: skip
"""Files that Python, or a tool, may run on its own, and modules that hide those that pdmigrate needs."""


COMMANDS = ("extract --no-write --format json", "explain a", "apply --allow-dirty", "check", "sync")


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_of_the_target_is_imported_or_run(command: str, tmp_path: Path) -> None:
    """The command line, started in the target's own folder."""
    trap, tree = tmp_path / "sprung", tmp_path / "tree"
    body = TRAP.format(trap=str(trap))
    files = dict.fromkeys(TRAPPED, body)
    files |= {
        "pkg/server.py": body + SERVER,
        "pkg/other.py": body + "raise SystemExit\n",
        "trap.pth": f"import os; os.mkdir({str(trap)!r})\n",
        "pyproject.toml": '[project]\nname = "pkg"\nversion = "1"\n[project.scripts]\nrun = "pkg.server:main"\n'
        '[project.entry-points."pydantic"]\nplugin = "pkg.other:plugin"\n',
        "pkg/data.pickle": f"cos\nmkdir\n(S'{trap}'\ntR.",
    }
    write(tree, files)
    arguments = [sys.executable, "-m", "pdmigrate", *command.split()]
    done = subprocess.run(arguments, cwd=tree, capture_output=True, text=True, timeout=60, check=False)
    assert not trap.exists(), done.stderr[-600:]
    assert done.returncode in (0, 1, 2), done.stderr[-600:]
    assert "Traceback" not in done.stderr
