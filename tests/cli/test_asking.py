"""The question whether to run the command that was found: on a terminal only, and once."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pdmigrate.cli import _with_values
from tests.cli.test_terminal import _read
from tests.runtime.nurseries import COMMANDS, own
from tests.support.command_line import pdmigrate
from tests.support.files import tree

pty = pytest.importorskip("pty")
OPEN = """import os

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("desk")
mcp.add_tool(print, name=os.environ["DESK_TOOL"])

if __name__ == "__main__":
    open("started", "w").close()
"""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "server.py").write_text(OPEN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def on_a_terminal(root: Path, answer: str, *options: str, **variables: str) -> str:
    ours, theirs = pty.openpty()
    clean = {name: value for name, value in os.environ.items() if name not in ("CI", "PRE_COMMIT")}
    process = subprocess.Popen(
        own("-c", COMMANDS["pdmigrate"], "extract", "--no-write", *options),
        cwd=root, stdin=theirs, stdout=theirs, stderr=theirs, env={**clean, "TERM": "dumb", **variables},
    )  # fmt: skip
    os.close(theirs)
    os.write(ours, f"{answer}\n".encode())
    shown = b""
    while chunk := _read(ours):
        shown += chunk
    os.close(ours)
    process.wait(timeout=60)
    return shown.decode()


def test_a_terminal_is_asked_once_and_no_runs_nothing(desk: Path) -> None:
    shown = on_a_terminal(desk, "n")
    assert shown.count("run this command now") == 1
    assert "python server.py" in shown
    assert not (desk / "started").exists()


@pytest.mark.parametrize("variables", [{"CI": "true"}, {"PRE_COMMIT": "1"}])
def test_neither_ci_nor_a_hook_is_asked(desk: Path, variables: dict[str, str]) -> None:
    assert "run this command now" not in on_a_terminal(desk, "y", **variables)
    assert not (desk / "started").exists()


def test_no_live_is_not_asked(desk: Path) -> None:
    assert "run this command now" not in on_a_terminal(desk, "y", "--no-live")


@pytest.mark.parametrize("command", ["extract", "apply", "audit"])
def test_a_pipe_is_told_and_nothing_is_run(desk: Path, command: str) -> None:
    options = ("--no-write",) if command == "extract" else ()
    before = tree(desk)
    ran = pdmigrate(command, *options)
    option = "--command" if command == "audit" else "--live"
    assert f"pdmigrate {command} {option} 'python server.py'" in ran.stderr
    assert tree(desk) == before


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (["x", "extract", "--live"], ["x", "extract", "--live="]),
        (["x", "extract", "--live", "--no-write"], ["x", "extract", "--live=", "--no-write"]),
        (["x", "extract", "--live", "python a.py"], ["x", "extract", "--live", "python a.py"]),
    ],
)
def test_live_without_a_value_stands_for_the_command_that_is_found(given: list[str], read: list[str]) -> None:
    assert _with_values(given) == read
