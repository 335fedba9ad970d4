"""Servers on versions of an SDK that nobody has measured: named with the version, and left as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import pdmigrate
from tests.support.files import write

FUNCTIONS = '''\
from IMPORT import FastMCP

mcp = FastMCP("notes")


@mcp.tool()
def find_note(text: str) -> str:
    """Find notes by their text. The newest comes first."""
    return text
'''
LOWLEVEL = """\
from mcp.server import Server
from mcp.types import Tool

server = Server("notes")


@server.list_tools()
async def list_tools():
    return []
"""
HINT = "  hint: give the right one with --sdk, or update the SDK\n"
OFFICIAL = FUNCTIONS.replace("IMPORT", "mcp.server.fastmcp")
SEPARATE = FUNCTIONS.replace("IMPORT", "fastmcp")
MANY_LINES = OFFICIAL.replace("import FastMCP", "import (\n    Context,\n    FastMCP,\n)")

UNKNOWN = [
    pytest.param(SEPARATE, "fastmcp", "0.4.1", "2.0 to 4.x", id="the first fastmcp"),
    pytest.param(SEPARATE, "fastmcp", "5.0.0", "2.0 to 4.x", id="a fastmcp that is newer"),
    pytest.param(LOWLEVEL, "mcp", "1.0.0", "1.1 to 2.x", id="the first mcp"),
    pytest.param(LOWLEVEL, "mcp", "3.0.0", "1.1 to 2.x", id="an mcp that is newer"),
    pytest.param(MANY_LINES, "mcp", "3.0.0", "1.1 to 2.x", id="an import of several lines"),
]


@pytest.mark.parametrize("command", ["apply", "extract"])
@pytest.mark.parametrize(("source", "package", "version", "supported"), UNKNOWN)
def test_the_version_that_nobody_measured_is_named(
    tmp_path: Path, source: str, package: str, version: str, supported: str, command: str
) -> None:
    write(tmp_path, {"server.py": source, "requirements.txt": f"{package}=={version}\n"})
    ran = pdmigrate(command, tmp_path, *(("--write",) if command == "apply" else ()))
    line = source[: source.index("(")].count("\n") + 1 if source is not MANY_LINES else 6
    said = f"server.py:{line}: PD205 warning: servers of this file are left as they are: "
    said += f"this is {package} {version} (requirement), and {supported} are supported\n{HINT}"
    assert said in ran.stderr
    assert "PD202" not in ran.stderr
    assert "PD203" not in ran.stderr
    assert ran.status == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["requirements.txt", "server.py"]


@pytest.mark.parametrize(
    ("source", "package", "version"),
    [
        (OFFICIAL, "mcp", "1.2.0"),
        (OFFICIAL, "mcp", "1.99.0"),
        (SEPARATE, "fastmcp", "2.0.0"),
        (LOWLEVEL, "mcp", "1.1.2"),
    ],
)
def test_others_are_looked_at(tmp_path: Path, source: str, package: str, version: str) -> None:
    write(tmp_path, {"server.py": source, "requirements.txt": f"{package}=={version}\n"})
    ran = pdmigrate("extract", tmp_path, "--no-write")
    assert "PD205" not in ran.stderr
    assert f"on {package} {version} (requirement)" in ran.stdout


def test_a_version_that_is_given_wins(tmp_path: Path) -> None:
    write(tmp_path, {"server.py": OFFICIAL, "requirements.txt": "mcp==1.0.0\n"})
    assert pdmigrate("extract", tmp_path, "--no-write", "--sdk", "mcp==1.30.0").status == 0


def test_a_server_of_another_file_is_no_reason_to_fail(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(SEPARATE)
    (tmp_path / "server.py").write_text(f"import old\n{OFFICIAL}")
    (tmp_path / "requirements.txt").write_text("mcp==1.30.0\nfastmcp==1.0\npydantic==2.14.3\n")
    ran = pdmigrate("extract", tmp_path, "--no-write")
    assert ran.status == 0, ran.stderr
    assert ran.stderr.count("PD205") == 1
    assert "old.py:3: PD205" in ran.stderr
    assert "1 server, 1 tool: 1 exact" in ran.stderr
