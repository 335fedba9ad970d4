"""Every way in which a server's file is reached works after the migration, in an interpreter with the real SDK."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.layouts.living import interpreter, migrated
from tests.support.files import write

SDK = "from mcp.server.fastmcp import FastMCP\n"
BODY = '''
mcp = FastMCP("notes")


@mcp.tool()
def add_note(title: str, text: str = "") -> str:
    """Add a note under a title. The title may not be empty, and the text is plain."""
    return title


def main() -> None:
    print(type(mcp._mcp_server.request_handlers).__name__)
'''
GUARD = '\n\nif __name__ == "__main__":\n    main()\n'
SERVER = SDK + BODY + GUARD
MODULE = SDK + BODY
PROJECT = '[project]\nname = "notes-mcp"\nversion = "1"\ndependencies = ["mcp==1.30.0"{more}]\n'
BUILT = PROJECT.format(more="") + '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
SCRIPTS = BUILT + '[project.scripts]\nnotes = "{}"\n'
UNBUILT = PROJECT.format(more="") + '[project.scripts]\nnotes = "{}"\n'
BY_FILE = """\
import importlib.util, os, sys
path = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.dirname(path))
spec = importlib.util.spec_from_file_location("server_module", path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
module.main()
"""
"""What ``fastmcp run FILE`` and ``mcp run FILE`` do."""


@dataclass(frozen=True)
class Reached:
    """The files of a project, and the arguments of Python by which the server is reached, from its root."""

    files: Mapping[str, str]
    starts: tuple[tuple[str, ...], ...]
    paths: str = ""
    """Folders on ``PYTHONPATH``: what is installed."""


def either(*lines: str, names: str = "store", otherwise: str = "import store") -> str:
    body = "\n".join(f"    {line}" for line in (*lines, otherwise))
    return (
        f"import os\nimport sys\n\n{SDK}\ntry:\n    from . import {names}\nexcept ImportError:\n{body}\n{BODY}{GUARD}"
    )


STORE = "LIMIT = 3\n"
PACKAGE = {
    "src/notes/__init__.py": "",
    "src/notes/store.py": STORE,
    "pyproject.toml": SCRIPTS.format("notes.main:main"),
}
AS_MODULE = ("-m", "notes.main")
AS_SCRIPT = ("src/notes/main.py",)
AS_COMMAND = ("-c", "from notes.main import main; main()")
ROOT = "os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..'))"
CASES = {
    "relative, or from the root that is put on the path": Reached(
        {
            **PACKAGE,
            "src/notes/main.py": either(f"sys.path.insert(0, {ROOT})", otherwise="from src.notes import store"),
        },
        (AS_SCRIPT, AS_MODULE, AS_COMMAND, ("-m", "src.notes.main")),
        "src",
    ),
    "relative, or absolute": Reached(
        {**PACKAGE, "src/notes/main.py": either(otherwise="from notes.store import LIMIT")},
        (AS_SCRIPT, AS_MODULE),
        "src",
    ),
    "absolute, from the root, after the path is set": Reached(
        {
            "app/core/__init__.py": "",
            "app/core/store.py": STORE,
            "app/core/main.py": f"import os\nimport sys\n\n{SDK}\nsys.path.insert(0, {ROOT})\n\n"
            f"from app.core import store  # noqa: E402\n{BODY}{GUARD}",
        },
        (("app/core/main.py",), ("-m", "app.core.main")),
    ),
    "a package that is named like a library": Reached(
        {
            "pyproject.toml": SCRIPTS.format("click:main").replace('0"]', '0", "click"]'),
            "src/click/__init__.py": "from .server import main\n",
            "src/click/shapes.py": STORE,
            "src/click/server.py": f"import click as lib\nfrom click.core import Group\n{SDK}from shapes import LIMIT\n"
            + BODY
            + GUARD,
        },
        (("src/click/server.py",),),
    ),
    "a package that is named like a library, and no sibling": Reached(
        {
            "pyproject.toml": PROJECT.format(more=', "click>=8"'),
            "click/__init__.py": "",
            "click/server.py": f"import click as lib\n{SDK}{BODY}{GUARD}",
        },
        (("click/server.py",),),
    ),
    "a namespace without a folder for sources": Reached(
        {"setup.py": "from setuptools import setup\nsetup()\n", "acme/server.py": MODULE},
        (("-c", "from acme.server import main; main()"),),
    ),
    "a file of a package that FastMCP runs": Reached(
        {
            "fastmcp.json": '{"source": {"path": "notes/main.py", "entrypoint": "mcp"}}\n',
            "notes/__init__.py": "",
            "notes/main.py": MODULE,
        },
        (("-c", BY_FILE, "notes/main.py"),),
    ),
    "a package with a command, which nothing installs, by its folder": Reached(
        {"pyproject.toml": UNBUILT.format("notes.__main__:main"), "notes/__init__.py": "", "notes/__main__.py": SERVER},
        (("-m", "notes"), ("notes",), ("-c", "from notes.__main__ import main; main()")),
    ),
}


def reach(root: Path, start: tuple[str, ...], paths: str) -> subprocess.CompletedProcess[str]:
    given = os.pathsep.join(str(root / path) for path in paths.split())
    variables = {"PYTHONDONTWRITEBYTECODE": "1", **({"PYTHONPATH": given} if given else {})}
    command = [str(interpreter()), *start]
    return subprocess.run(command, cwd=root, env=variables, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("name", CASES)
def test_a_server_is_reached_as_before(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    root = write(tmp_path / "project", case.files)
    for start in case.starts:
        done = reach(root, start, case.paths)
        assert (done.returncode, done.stdout) == (0, "dict\n"), (start, done.stderr)
    migrated(root)
    for start in case.starts:
        done = reach(root, start, case.paths)
        assert (done.returncode, done.stdout) == (0, "Mcp1Disclosure\n"), (start, done.stderr)
