"""Which files of a tree start a server."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from pdmigrate import disk
from pdmigrate.project.starters import Starters
from pdmigrate.source.glances import Glances
from tests.support.files import write

MAIN = 'if __name__ == "__main__":\n    mcp.run()\n'
PROJECT = '[project]\nname = "desk"\n[project.scripts]\ndesk = "desk.cli:main"\n'
NEIGHBOURS = {f"a{number}/server.py": f"mcp = 1\n{MAIN}" for number in range(70)}


@pytest.mark.parametrize(
    ("files", "first"),
    [
        pytest.param({**NEIGHBOURS, "run.py": f"from desk.server import mcp\n{MAIN}"}, "python run.py", id="crowd"),
        pytest.param({"pyproject.toml": PROJECT, "desk/cli.py": "from .server import mcp\n"}, "desk", id="relative"),
        pytest.param(
            {"pyproject.toml": PROJECT, "desk/cli.py": "from . import app\n", "desk/app.py": "import desk.server\n"},
            "desk",
            id="through another file",
        ),
        pytest.param(
            {"pyproject.toml": PROJECT, "desk/cli.py": 'import importlib\nimportlib.import_module(f"desk.{name}")\n'},
            "desk",
            id="by a computed name",
        ),
        pytest.param({"run.py": f"import sys\nsys.path.insert(0, 'desk')\nimport server\n{MAIN}"}, "python run.py"),
        pytest.param({"run.py": f"from desk.other import mcp\n{MAIN}"}, "", id="of another server"),
        pytest.param({"tests/run.py": f"from desk.server import mcp\n{MAIN}"}, "", id="a test"),
    ],
)
def test_what_leads_to_a_server_starts_it(tmp_path: Path, files: Mapping[str, str], first: str) -> None:
    tree = {"desk/__init__.py": "", "desk/server.py": "mcp = 1\n", "desk/other.py": "mcp = 1\n", **files}
    write(tmp_path, tree)
    python = tuple(sorted(path for path in tree if path.endswith(".py")))
    found = Starters(Glances(tmp_path, python)).of("desk/server.py")
    assert next((one.command for one in found), "") == first


@pytest.mark.parametrize(
    ("folder", "inside", "first"),
    [
        pytest.param(".venv", {"pyvenv.cfg": "", "bin/desk": ""}, ".venv/bin/desk", id="the command is installed"),
        pytest.param("venv", {"pyvenv.cfg": "", "bin/desk": ""}, "venv/bin/desk", id="another name"),
        pytest.param("env", {"pyvenv.cfg": "", "bin/desk": ""}, "env/bin/desk", id="a third name"),
        pytest.param(".venv", {"bin/desk": ""}, "desk", id="no environment"),
    ],
)
@pytest.mark.parametrize("is_link", [False, True])
def test_an_environment_may_be_a_link(
    tmp_path: Path, folder: str, inside: Mapping[str, str], first: str, *, is_link: bool
) -> None:
    root = tmp_path / "project"
    place = tmp_path / "elsewhere" if is_link else root / folder
    write(root, {"pyproject.toml": PROJECT, "desk/__init__.py": "", "desk/cli.py": "mcp = 1\n"})
    write(place, dict(inside))
    if is_link:
        (root / folder).symlink_to(place)
    found = Starters(Glances(root, ("desk/__init__.py", "desk/cli.py"))).of("desk/cli.py")
    assert found[0].command == first


def test_a_text_that_is_not_read_says_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"server.py": MAIN, "README.md": "a" * (disk.LARGEST + 1)})
    (found,) = Starters(Glances(tmp_path, ("server.py",))).of("server.py")
    assert found.command == "python server.py"
