"""Which files of a tree start a server."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from pdmigrate.project.starters import Starters
from pdmigrate.source.glances import Glances

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
    for path, text in tree.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    python = tuple(sorted(path for path in tree if path.endswith(".py")))
    found = Starters(Glances(tmp_path, python)).of("desk/server.py")
    assert next((one.command for one in found), "") == first
