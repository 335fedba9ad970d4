"""The question whether to run the command that was found: on a terminal only, and once."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from pdmigrate.cli import _with_values
from tests.cli.test_terminal import shown_by
from tests.runtime.nurseries import COMMANDS, own
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import tree
from tests.support.sources import decorated

OPEN = """open("started", "w").close()
import os

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("desk")
mcp.add_tool(print, name=os.environ["DESK_TOOL"])

if __name__ == "__main__":
    mcp.run()
"""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "server.py").write_text(OPEN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
    return tmp_path


EXTRACT = ("extract", "--no-write")


def on_a_terminal(root: Path, answer: str, *options: str, command: tuple[str, ...] = EXTRACT, **variables: str) -> str:
    clean = {name: value for name, value in os.environ.items() if name not in ("CI", "PRE_COMMIT")}
    started = own("-c", COMMANDS["pdmigrate"], *command, *options)
    return shown_by(started, {**clean, "TERM": "dumb", **variables}, root, f"{answer}\n")


@pytest.mark.parametrize("command", [EXTRACT, ("apply",), ("audit",)])
def test_a_terminal_is_asked_once_and_no_runs_nothing(desk: Path, command: tuple[str, ...]) -> None:
    shown = on_a_terminal(desk, "n", command=command)
    assert shown.count("run this now") == 1
    assert "    python server.py\nfor server.py:6: " in shown
    assert not (desk / "started").exists()


@pytest.mark.parametrize("command", [EXTRACT, ("apply",), ("audit",)])
@pytest.mark.parametrize("way", ["CI", "PRE_COMMIT", "--no-live"])
def test_neither_ci_nor_a_hook_is_asked_nor_who_refused(desk: Path, command: tuple[str, ...], way: str) -> None:
    options, variables = ((way,), {}) if way == "--no-live" else ((), {way: "1"})
    assert "run this now" not in on_a_terminal(desk, "y", *options, command=command, **variables)
    assert not (desk / "started").exists()


@pytest.mark.parametrize("command", ["extract --live", "apply --live", "audit --live", "verify --live"])
def test_a_pipe_is_told_and_nothing_is_run(desk: Path, command: str) -> None:
    name, _ = command.split()
    before = tree(desk)
    ran = pdmigrate(name, *(("--no-write",) if name == "extract" else ()))
    starting = "` starts `python server.py`" if name == "verify" else " 'python server.py'"
    assert f"pdmigrate {command}{starting}" in ran.stderr
    assert tree(desk) == before
    assert name != "verify" or (ran.status, ran.stdout) == (2, "")


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (["x", "extract", "--live"], ["x", "extract", "--live="]),
        (["x", "extract", "--live", "--no-write"], ["x", "extract", "--live=", "--no-write"]),
        (["x", "extract", "--live", "python a.py"], ["x", "extract", "--live", "python a.py"]),
        (["x", "extract", "--live", "."], ["x", "extract", "--live=", "."]),
        (["x", "extract", "--live", "src/"], ["x", "extract", "--live=", "src/"]),
        (["x", "extract", "--live", "a --root /b/"], ["x", "extract", "--live", "a --root /b/"]),
        (["x", "extract", "--live", "./a"], ["x", "extract", "--live", "./a"]),
    ],
)
def test_live_without_a_value_stands_for_the_command_that_is_found(given: list[str], read: list[str]) -> None:
    assert _with_values(given) == read


def test_verify_in_a_folder_of_the_project_names_a_command_that_works_there(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (desk / "pyproject.toml").write_text('[project]\nname = "desk"\nversion = "1"\n', encoding="utf-8")
    (desk / "docs").mkdir()
    monkeypatch.chdir(desk / "docs")
    assert "`pdmigrate verify --live` starts `python server.py` (" in pdmigrate("verify").stderr


def test_verify_with_live_starts_what_was_found_and_does_not_choose_among_servers(desk: Path) -> None:
    ran = pdmigrate("verify", "--live=", "--timeout", "5")
    assert "starting `python server.py`" in ran.stderr
    (desk / "started").unlink()
    (desk / "other.py").write_text(OPEN.replace("desk", "other"), encoding="utf-8")
    ran = pdmigrate("verify", "--live=")
    assert (ran.status, "there are 2 here: other.py, server.py" in ran.stderr) == (2, True)
    assert not (desk / "started").exists()


FORMS = {
    "a function of another package": "mcp.add_tool(__import__('desk').lend, name='open')",
    "a description from the environment": "mcp.tool(name='open', description=os.environ['D'])(os.getcwd)",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("command", [("extract",), ("apply", "--copies", "--write")])
def test_no_file_is_written_for_a_tool_of_which_nothing_is_settled(
    desk: Path, form: str, command: tuple[str, ...]
) -> None:
    settled = decorated("desk", {"find(title: str)": "Find a book."}, first="import os\n\n")
    (desk / "server.py").write_text(f"{settled}\n\n{FORMS[form]}\n", encoding="utf-8")
    ran = pdmigrate(*command, *VERSIONS)
    assert "no file for 1 tool, as source settles nothing of its definition: open" in ran.stderr
    assert (desk / "tool_descriptions/find.json").exists()
    assert not (desk / "tool_descriptions/open.json").exists()
    assert pdmigrate("check").status == 0
    before = tree(desk)
    assert pdmigrate("sync").status == 0
    assert tree(desk) == before


@pytest.mark.parametrize("version", ["mcp==1.1.2", "mcp==1.99.0"])
@pytest.mark.parametrize("command", ["extract", "apply"])
def test_for_a_release_that_was_not_measured_the_command_is_named(desk: Path, version: str, command: str) -> None:
    tool = "@mcp.tool()\ndef find(title: str) -> str:\n    return title"
    settled = OPEN.replace('mcp.add_tool(print, name=os.environ["DESK_TOOL"])', tool)
    (desk / "server.py").write_text(settled, encoding="utf-8")
    ran = pdmigrate(command, "--sdk", version)
    assert f"pdmigrate {command} --live 'python server.py'" in ran.stderr
