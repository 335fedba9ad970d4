"""What a person meets before any command is known: examples, completion; and ``--quiet``."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from pdmigrate.cli.app import COMMANDS, EXAMPLES, app
from tests.audit.listings import heavy, light
from tests.cli.projects import BROKEN, SERVER, project
from tests.support.command_line import VERSIONS, pdmigrate


@pytest.mark.parametrize("example", [example for lines in EXAMPLES.values() for example in lines])
def test_every_example_is_a_command_line_that_is_understood(example: str) -> None:
    program, name, *arguments = shlex.split(example)
    assert program == "pdmigrate"
    group = typer.main.get_command(app)
    _, command, rest = group.resolve_command(typer.Context(group), [name, *arguments])
    command.make_context(name, rest, resilient_parsing=True)


def test_every_command_has_examples() -> None:
    assert [*EXAMPLES] == [*COMMANDS]
    for command, lines in EXAMPLES.items():
        assert f"Examples:\n  {lines[0]}" in pdmigrate(command, "--help").stdout.replace("    ", "  ")


def test_a_quiet_run_prints_results_and_errors_and_nothing_else(tmp_path: Path) -> None:
    root = project(tmp_path, server=SERVER, broken=BROKEN)
    loud, quiet = pdmigrate("apply", "--all", root, *VERSIONS), pdmigrate("apply", "--all", root, *VERSIONS, "--quiet")
    assert quiet.stdout == loud.stdout
    assert 0 < len(quiet.stderr) < len(loud.stderr)
    assert "error" in quiet.stderr
    assert "next:" not in quiet.stderr
    wrong = pdmigrate("apply", "--all", root / "gone", "-q")
    assert (wrong.status, wrong.stdout) == (2, "")
    assert "does not exist" in wrong.stderr
    assert "next:" in pdmigrate("apply", "--all", root, *VERSIONS).stderr


@pytest.mark.skipif(os.name == "nt", reason="completion for bash")
@pytest.mark.parametrize(("typed", "offered"), [("au", "audit"), ("audit --ht", "--html"), ("audit -", "--quiet")])
def test_a_shell_completes_commands_and_options(typed: str, offered: str) -> None:
    words = f"pdmigrate {typed}"
    asked = {"_PDMIGRATE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    program = str(Path(sys.executable).with_name("pdmigrate"))
    done = subprocess.run([program], env={**os.environ, **asked}, capture_output=True, text=True, timeout=60)
    assert offered in done.stdout.split()


def test_a_report_of_long_names_fits_a_terminal(tmp_path: Path) -> None:
    tools = [{**one, "name": f"{one['name']}_{'x' * 60}"} for one in (*heavy(9), *light(60))]
    file = tmp_path / "tools.json"
    file.write_text(json.dumps(tools), encoding="utf-8")
    lines = pdmigrate("audit", "--listing", file, "--uses", "2").stdout.splitlines()
    assert max(len(line) for line in lines if "https://" not in line) <= 80
