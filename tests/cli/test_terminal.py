"""What a terminal gets that a pipe does not: colour, the line of source, word of long work."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from pdmigrate.cli import terminal
from tests.cli.projects import project
from tests.support.files import write
from tests.support.sources import decorated

pty = pytest.importorskip("pty")


def on_terminal(*arguments: str, **environment: str) -> str:
    """What ``python ARGUMENTS`` sends to a terminal, both streams together."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    return shown_by([sys.executable, *arguments], {"TERM": "xterm", **kept, **environment})


def shown_by(command: Sequence[str], variables: Mapping[str, str], folder: Path | None = None, typed: str = "") -> str:
    """What a command sends to a terminal on which something is typed."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=variables, start_new_session=True
    )
    os.close(theirs)
    os.write(ours, typed.encode())
    received = b""
    while chunk := _read(ours):
        received += chunk
    os.close(ours)
    process.wait(timeout=60)
    return received.decode("utf-8").replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:
        # Linux reports the end of a terminal as an error.
        return b""


def test_a_terminal_gets_colour_and_no_files_of_ours(tmp_path: Path) -> None:
    root = str(project(tmp_path))
    shown = on_terminal("-m", "pdmigrate", "apply", root)
    assert "\x1b[32m+enable(server" in shown
    assert "a/.pdmigrate/" not in shown
    assert "a/progressive_disclosure.py" not in shown
    assert "generated files: `| less` or `> FILE` has the whole patch\n" in shown
    assert "change  server.py" in shown
    assert shown.endswith("next: the same command with --write carries it out\n")


SMALL = decorated("shop", {"find_item(colour: str)": "Find an item by its colour."})


def test_a_verdict_against_a_migration_is_the_last_word(tmp_path: Path) -> None:
    root = write(tmp_path, {"server.py": SMALL, "requirements.txt": "mcp==1.28.1\n"})
    for options in ((), ("--check",), ("--all",), ("--select", "find_*")):
        said = on_terminal("-m", "pdmigrate", "apply", str(root), *options)
        assert "carries it out" not in said
        _, _, last = said.partition("\nverdict: not worth it: ")
        assert re.fullmatch(r"[^\n]+(\n  [^\n]+)*\n", last), said
    # With --write nothing is asked: the user has decided.
    said = on_terminal("-m", "pdmigrate", "apply", str(root), "--write", "--allow-dirty")
    assert "wrote " in said
    assert "next: run your formatter and your tests" in said


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_a_terminal_that_wants_no_colour_gets_none(tmp_path: Path, name: str, value: str) -> None:
    shown = on_terminal("-m", "pdmigrate", "apply", str(project(tmp_path)), **{name: value})
    assert "\n+enable(server" in shown
    assert not re.search(r"\x1b\[\d+m", shown)


WORK = "import time; from pdmigrate.cli.terminal import working\nwith working('reading x'):\n    time.sleep({})\n"


def test_work_that_takes_long_says_so_on_a_terminal_that_can_show_it(capsys: pytest.CaptureFixture[str]) -> None:
    # Long enough for a busy machine, on which the clock's thread may have to wait for a second or two.
    shown = on_terminal("-c", WORK.format(4))
    assert re.search(r"reading x \.\.\. [1-4] s", shown)
    assert shown.endswith("\x1b[K")
    assert on_terminal("-c", WORK.format(0.1)) == on_terminal("-c", WORK.format(1.7), TERM="dumb") == ""
    threads = threading.active_count()
    with terminal.working("in a pipe"):
        assert threading.active_count() == threads
    assert capsys.readouterr().err == ""
