"""Nothing that people read is wider than their terminal; in a pipe every line stays whole."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pdmigrate.cli.terminal import fitted
from tests.cli.test_counts import NAMES, SAMPLES
from tests.cli.test_terminal import on_terminal
from tests.support.command_line import Terminal, pdmigrate
from tests.support.repositories import committed, initialised

SENTENCE = "stdio: all eight criteria of the specification hold; a host that starts the server is not refused"


def too_wide(text: str) -> list[str]:
    return [line for line in text.splitlines() if len(re.sub(r"\x1b\[\d*[mK]", "", line)) > 80]


@pytest.mark.parametrize("name", NAMES)
def test_every_command_fits_eighty_columns(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SAMPLES / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    committed(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")
    for command in ("", "audit", "extract --no-write", "apply --check", "apply --write", "check"):
        ran = pdmigrate(*command.split(), kind=Terminal)
        assert ran.stdout + ran.stderr
        assert too_wide(ran.stdout + ran.stderr) == [], command
    for command in ("revert --dry-run", "revert", "apply"):
        assert too_wide(pdmigrate(*command.split(), kind=Terminal).stderr) == [], command


def test_a_patch_is_never_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SAMPLES / "mcp1_lowlevel", tmp_path / "loans")
    initialised(tmp_path)
    monkeypatch.setenv("TERM", "dumb")
    for kind in (io.TextIOWrapper, Terminal):
        patches = set()
        for columns in ("60", "300"):
            monkeypatch.setenv("COLUMNS", columns)
            patches.add(pdmigrate("apply", tmp_path, kind=kind).stdout)
        (patch,) = patches
        assert too_wide(patch)


def test_a_terminal_is_asked_for_its_width_and_a_pipe_has_none() -> None:
    talk = f"from pdmigrate.cli.terminal import talk; talk({SENTENCE!r})"
    assert on_terminal("-c", talk, COLUMNS="50").splitlines() == fitted(SENTENCE, 50).splitlines()
    assert on_terminal("-c", talk, COLUMNS="").splitlines() == [SENTENCE]  # the terminal does not know how wide it is
    environment = {**os.environ, "COLUMNS": "50"}
    done = subprocess.run([sys.executable, "-c", talk], env=environment, capture_output=True, text=True, check=True)
    assert done.stderr == f"{SENTENCE}\n"


def test_a_break_makes_no_command_of_a_ci_log() -> None:
    text = "x" * 45 + " ::set-output name=y::z ##[error]no"
    shown = on_terminal("-c", f"from pdmigrate.cli.terminal import talk; talk({text!r})", COLUMNS="50")
    assert not any(re.match(r"\s*(::|##\[)", line) for line in shown.splitlines()), shown


def test_words_stay_whole_and_so_do_commands_to_copy() -> None:
    assert fitted("  find   358 -> 82  stubbed on the wire (it is made from a function)", 42).split("\n") == [
        "  find   358 -> 82  stubbed on the wire",
        "    (it is made from a function)",
    ]
    command = "`git -C /a/long/path/to/a/repository/somewhere apply`"
    assert fitted(f"the patch applies with {command} there", 40).split("\n") == [
        "the patch applies with",
        f"  {command}",
        "  there",
    ]
    assert fitted("\x1b[31m" + "a" * 40 + "\x1b[0m b", 42) == "\x1b[31m" + "a" * 40 + "\x1b[0m b"
    assert fitted("a" * 100, 40) == "a" * 100
    assert fitted("a b " * 30, 39) == "a b " * 30
