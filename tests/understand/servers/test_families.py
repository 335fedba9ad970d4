"""An SDK family is a row of ``pdmigrate.sdk.families``: nothing else names its class, and nothing else has to."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.sdk import families
from tests.support.environments import ROOT
from tests.support.files import write

PACKAGE = ROOT / "pdmigrate"
SPELLED_ELSEWHERE = {
    "migrate/plan/obstacles.py": {"FastMCPProxy"},
    "project/bridges.py": {"FastMCP", "MCPServer"},  # what servers are called that are given no name
    "understand/servers/making.py": {"FastMCPProxy", "FastMCPOpenAPI"},
    "sdk/schemas/signatures/names.py": {"CurrentFastMCP"},
}
"""Other names of an SDK that have a server class's name in them."""

FERRY = """
FERRY = DecoratedClass(
    "Ferry",
    "ferrykit",
    ("ferrykit.serving", "ferrykit"),
    frozenset({"ferrykit.Tool"}),
    _OPTIONS,
    ("fn", *_OPTIONS),
)
"""
ROW = '    Family("ferrykit", FERRY, 1, "mcp1", (b"Ferry",), answering=("list_tools",)),\n'
DISTRIBUTION = '    Package("ferrykit", ("ferrykit",), ("1.4.0",), (1, 0)),\n'

SERVER = '''\
"""Crossings."""

from ferrykit import Ferry

app = Ferry("crossings")


@app.tool()
def find(port: str, seats: int = 1) -> str: "Find a crossing."


if __name__ == "__main__":
    app.run()
'''
DERIVED = """\
from ferrykit import Ferry as Base

class Line(Base): pass

line = Line("line")

@line.tool(name="wait")
def stay() -> str: "Stay ashore."
"""
PASSED = """\
from ferrykit import Ferry
from elsewhere import Hiding

app = Ferry("passed", middleware=[Hiding()])

@app.tool()
def hidden() -> str: "Sail by night."
"""


TAMPERED = {
    "what its tools are made by is replaced": ("import ferrykit\n", "ferrykit.Tool.from_function = other\n"),
    "it is handed to a function of its SDK": ("from ferrykit import fitted\n", "fitted(app)\n"),
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of pdmigrate that knows one family more, as somebody who adds it would write it."""
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(PACKAGE, root / "pdmigrate", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "templates", root / "templates")
    table = root / "pdmigrate" / "sdk/families.py"
    text = table.read_text(encoding="utf-8")
    for before, added in (("\n_LOW = ", FERRY), (")\n\n_OPTIONS", DISTRIBUTION), (')\n"""All families', ROW)):
        assert text.count(before) == 1
        text = text.replace(before, added + before)
    table.write_text(text, encoding="utf-8")
    measured = root / "pdmigrate" / "sdk" / "schemas" / "signatures" / "measured.json"
    content = json.loads(measured.read_text(encoding="utf-8"))
    content["ferrykit"] = {"package": "ferrykit", "releases": {"1.4.0": "mcp 1.21"}}
    measured.write_text(json.dumps(content), encoding="utf-8")
    return root


def run(installed: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "pdmigrate", *arguments]
    done = subprocess.run(command, cwd=installed, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def extracted(installed: Path, root: Path, **files: str) -> dict[str, Any]:
    """The servers of a tree, by their files."""
    write(root, {f"{name}.py": text for name, text in files.items()})
    inventory = json.loads(run(installed, "extract", str(root), "--format", "json", "--no-write"))
    return {server["file"]: server for server in inventory["servers"]}


def test_a_row_is_enough_for_servers_to_be_found_read_and_migrated(installed: Path, tmp_path: Path) -> None:
    servers = extracted(installed, tmp_path, server=SERVER, derived=DERIVED)
    assert sorted(servers) == ["derived.py", "server.py"]
    assert {server["dialect"] for server in servers.values()} == {"ferrykit"}
    (find,) = servers["server.py"]["tools"]
    assert find["definition"]["name"] == "find"
    assert find["definition"]["inputSchema"]["required"] == ["port"]
    assert [tool["definition"]["name"] for tool in servers["derived.py"]["tools"]] == ["wait"]
    patch = run(installed, "apply", str(tmp_path), "--all")
    assert "+enable(app" in patch
    assert "+enable(line" in patch


def test_what_middleware_of_such_a_server_does_is_not_known(installed: Path, tmp_path: Path) -> None:
    (server,) = extracted(installed, tmp_path, server=PASSED).values()
    assert server["complete"] == "a middleware of the server"
    assert "description" not in server["tools"][0]["definition"]


@pytest.mark.parametrize("what", TAMPERED)
def test_what_is_done_to_such_an_sdk_is_not_overlooked(installed: Path, tmp_path: Path, what: str) -> None:
    imports, statement = TAMPERED[what]
    before, start, after = SERVER.partition("if __name__")
    (server,) = extracted(installed, tmp_path, server=f"{imports}{before}{statement}\n\n{start}{after}").values()
    (find,) = server["tools"]
    assert "inputSchema" not in find["definition"]


def test_every_gate_holds_a_word_that_all_files_of_an_sdk_hold() -> None:
    for gate in families.gates():
        assert any(word in gate for word in families.MENTIONS)


def test_nothing_else_spells_the_name_of_a_decorated_class() -> None:
    found: dict[str, set[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if name != "sdk/families.py":
            for text in _literals(path):
                allowed = SPELLED_ELSEWHERE.get(name, ())
                for word in allowed:
                    text = text.replace(word, "")
                if any(each in text for each in families.DECORATED_NAMES):
                    found.setdefault(name, set()).add(text)
    assert not found


def _literals(path: Path) -> Iterator[str]:
    """The strings and bytes of a file that are no docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in documents:
            if isinstance(node.value, str):
                yield node.value
            elif isinstance(node.value, bytes):
                yield node.value.decode("latin-1")
