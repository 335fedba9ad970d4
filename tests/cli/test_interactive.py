"""``apply --interactive`` on a terminal: what is shown, what each answer does, and where nobody can answer."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.test_counts import SAMPLES
from tests.cli.test_terminal import _read
from tests.runtime.nurseries import COMMANDS, own
from tests.support.command_line import pdmigrate
from tests.support.files import tree
from tests.support.repositories import commit, committed

pty = pytest.importorskip("pty")
TOOLS = ["find_copies", "check_out", "return_copy", "renew_loan", "place_hold", "member_account"]


@pytest.fixture
def loans(tmp_path: Path) -> Path:
    shutil.copytree(SAMPLES / "mcp1_lowlevel", tmp_path / "loans", ignore=shutil.ignore_patterns("__pycache__"))
    return committed(tmp_path)


def answered(root: Path, answers: str, *options: str) -> tuple[int, str]:
    """The status of the command and all that the terminal showed; an answer is typed when it is asked for."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        own("-c", COMMANDS["pdmigrate"], "apply", "--interactive", "--copies", *options),
        cwd=root,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "dumb", "COLUMNS": "80"},
        start_new_session=True,
    )
    os.close(theirs)
    shown, asked, limit = b"", 0, time.monotonic() + 120
    while (chunk := _read(ours)) and time.monotonic() < limit:
        shown += chunk
        while asked < min(shown.count(b"v,q,?]? "), len(answers)):
            os.write(ours, b"\x04" if answers[asked] == "^" else f"{answers[asked]}\n".encode())
            asked += 1
    os.close(ours)
    status = process.wait(timeout=60)
    assert asked == len(answers), shown.decode()
    return status, shown.decode().replace("\r\n", "\n")


def moved(root: Path) -> set[str]:
    return {path.stem for path in root.glob("loans/tool_descriptions/*.json")} - {"_server"}


def test_each_tool_is_taken_or_left_with_both_forms_and_figures_in_view(loans: Path) -> None:
    status, shown = answered(loans, "ynynnn", "--write")
    assert status == 0
    (audited,) = json.loads(pdmigrate("audit", loans, "--format", "json").stdout)["servers"]
    now = {tool["name"]: tool for tool in audited["tools"]}
    for number, tool in enumerate(TOOLS, 1):
        assert f"library-loans, tool {number} of 6: {tool}\n" in shown
        assert f"  listed now: {now[tool]['now']} tokens\n" in shown
        assert f"  listed after: {now[tool]['after']} tokens\n" in shown
    assert "    Lend a copy to a member. The copy must be on the shelf" in shown
    assert '    {"type": "object", "properties": {"barcode": {"type": "string"}' in shown
    saved = now["find_copies"]["now"] - now["find_copies"]["after"]
    assert f"every session saves {saved} tokens; one that uses the tool fetches" in shown
    assert "found 6 = moved 1 + stubbed 1 + skipped 4 + failed 0" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert moved(loans) == {"find_copies", "return_copy"}
    # The answers hold for every later command.
    assert pdmigrate("check", loans).status == 0
    assert pdmigrate("apply", loans, "--check").status == 0


def test_what_was_left_is_asked_about_again_and_what_was_taken_is_not(loans: Path) -> None:
    answered(loans, "ynynnn", "--write")
    commit(loans)
    status, shown = answered(loans, "yd", "--write")
    assert status == 0
    assert "tool 1 of 4: check_out" in shown
    assert moved(loans) == {"find_copies", "return_copy", "check_out"}
    assert pdmigrate("check", loans).status == 0


def test_one_answer_can_stand_for_the_rest_of_a_server(loans: Path) -> None:
    _, shown = answered(loans, "na")
    assert "found 6 = moved 3 + stubbed 2 + skipped 1 + failed 0" in shown
    assert "+enable(server" in shown
    _, shown = answered(loans, "d")
    assert "nothing to do: 6 tools found, and the selection leaves all of them out" in shown


@pytest.mark.parametrize("answers", ["yyq", "y^"], ids=["q", "end of input"])
def test_who_quits_changes_nothing(loans: Path, answers: str) -> None:
    before = tree(loans)
    status, shown = answered(loans, answers, "--write")
    assert status == 0
    assert shown.endswith("nothing was changed\n")
    assert tree(loans) == before


def test_what_is_no_answer_gets_help_and_v_shows_all(loans: Path) -> None:
    _, shown = answered(loans, "xv?q")
    assert shown.count("n  leave it: it stays as it is") == 2
    assert "more lines, v shows them" in shown
    assert '"minimum": 1' not in shown.partition("[y,n,a,d,v,q,?]? v")[0]
    assert '"minimum": 1' in shown.partition("[y,n,a,d,v,q,?]? v")[2]


def test_only_selected_tools_are_asked_about(loans: Path) -> None:
    _, shown = answered(loans, "a", "--select", "*_loan", "--select", "check_*", "--exclude", "renew*")
    assert "tool 1 of 1: check_out" in shown
    assert "found 6 = moved 1 + stubbed 0 + skipped 5 + failed 0" in shown


def test_where_nobody_can_answer_nobody_is_asked(loans: Path) -> None:
    before = tree(loans)
    command = [sys.executable, "-m", "pdmigrate", "apply", "--interactive", "--write"]
    done = subprocess.run(command, cwd=loans, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "error: --interactive asks about each tool, and standard input is not a terminal\n"
        "hint: run it in a terminal, or name the tools with --select and --exclude\n"
    )
    assert tree(loans) == before
