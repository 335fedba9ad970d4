"""Starting: examples, completion, ``--quiet``, what light commands import, and how every way out becomes a message."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer.main

from pdmigrate import __version__
from pdmigrate.cli.app import COMMANDS, EXAMPLES, app
from pdmigrate.cli.guard import guarded
from pdmigrate.errors import ConfigError, UsageError
from tests.audit.listings import heavy, light
from tests.cli.projects import BROKEN, SERVER, project
from tests.support.command_line import VERSIONS, Ran, pdmigrate
from tests.support.processes import run

HEAVY = ("libcst", "pydantic", "jsonschema", "jinja2", "rich", "mcp")


def imported_by(*arguments: str) -> set[str]:
    """Modules that are there when the command has ended, beyond those of a bare interpreter."""
    code = (
        "import sys; before = set(sys.modules); from pdmigrate.cli import main; "
        f"sys.argv = ['pdmigrate', *{list(arguments)!r}]\n"
        "try:\n    main()\nexcept SystemExit as ended:\n    assert ended.code == 0, ended.code\n"
        "print('\\0', *(set(sys.modules) - before))"
    )
    return set(run(sys.executable, "-c", code).rpartition("\0")[2].split())


@pytest.mark.parametrize("arguments", ["--version", "--help", "apply --help", "explain PD101"])
def test_what_is_told_without_work_is_told_without_libraries(arguments: str) -> None:
    modules = imported_by(*arguments.split())
    # Newer releases of typer have pydantic look at every parameter of the command that is run.
    assert not modules & set(HEAVY) - ({"pydantic"} if "typer._adapters" in modules else set())
    if arguments == "--version":
        assert not modules & {"typer", "re", "json", "dataclasses", "pathlib"}
    assert "pdmigrate" in modules


def test_the_version_is_that_of_the_package() -> None:
    said = Ran(0, f"pdmigrate {__version__}\n", "")
    assert pdmigrate("--version") == pdmigrate("-V") == said


@pytest.mark.parametrize("value", ["0", "1"])
def test_a_variable_asks_for_the_traceback(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PDMIGRATE_DEBUG", value)
    assert ("Traceback" in pdmigrate("explain", "PD999").stderr) is (value == "1")


def test_the_overview_names_every_command_in_one_line_each() -> None:
    ran = pdmigrate("--help")
    assert ran.status == 0
    assert pdmigrate() == ran
    lines = ran.stdout.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in lines] == list(COMMANDS)
    assert not [line for line in lines if "..." in line]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        *(("aply", "apply"), ("--nonsense", "--nonsense"), ("apply --writ", "--writ"), ("explain", "CODE|TOOL")),
        *(("extract . .", "extract"), ("verify --timeout soon", "--timeout"), ("audit --uses 0", "--uses")),
        ("audit --max-tokens 0", "--max-tokens"),
    ],
)
def test_a_command_line_that_makes_no_sense_ends_with_2(arguments: str, said: str) -> None:
    ran = pdmigrate(*arguments.split())
    assert (ran.status, ran.stdout) == (2, "")
    assert said in ran.stderr


# --- ways out ---------------------------------------------------------------------------------------------------------


def ended(error: Exception) -> int:
    def command() -> None:
        raise error

    with pytest.raises(SystemExit) as raised:
        guarded(command)()
    return raised.value.code


def test_a_mistake_of_ours_is_called_one(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PDMIGRATE_DEBUG", raising=False)
    assert ended(ZeroDivisionError("by nought")) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ZeroDivisionError: by nought\nthis is a mistake in pdmigrate, not in your project\n")
    assert "please report it" in said
    assert ("PDMIGRATE_DEBUG=1" in said, "Traceback" in said) == (True, False)


def test_an_error_says_what_to_do_next_and_is_no_mistake_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    for error, beginning in (
        (PermissionError(13, "Permission denied", "pkg/server.py"), "error: pkg/server.py: Permission denied\nhint: "),
        (UsageError("no such tool 'x'"), "error: no such tool 'x'\n"),
        (ConfigError("no key", hint="y", code="PD801"), "error[PD801]: no key\nhint: y\nhint: pdmigrate explain PD801"),
    ):
        assert ended(error) == 2
        said = capsys.readouterr().err
        assert (said.startswith(beginning), "mistake" in said) == (True, False)
    assert ended(OSError("something else")) == 2
    assert "this is a mistake in pdmigrate" in capsys.readouterr().err


def test_a_reader_that_has_had_enough_is_no_error(tmp_path: Path) -> None:
    code = (
        "import sys, os; from pdmigrate.cli.guard import guarded; from pdmigrate.cli.terminal import result\n"
        "def command():\n    for _ in range(10000):\n        result('x' * 1000 + '\\n')\n"
        "guarded(command)()"
    )
    errors = tmp_path / "errors"
    with errors.open("wb") as stream:
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=stream)
        process.stdout.read(10)
        process.stdout.close()
        assert process.wait(timeout=60) == 0
    assert errors.read_bytes() == b""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_control_c_while_a_command_works_ends_with_130_and_no_traceback() -> None:
    code = (
        # A shell that runs the tests in the background has them ignore the signal.
        "import signal, time; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from pdmigrate.cli.guard import guarded\n"
        "def command():\n    print('ready', flush=True)\n    time.sleep(60)\n"
        "guarded(command)()"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, "interrupted\n")


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
