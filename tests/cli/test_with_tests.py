"""``apply --with-tests``: tests for the repository of a migrated server, run there as its maintainer would."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from pdmigrate.migrate.plan.build import plan_migration
from pdmigrate.project.loading import load_project
from pdmigrate.settings import Settings
from tests.layouts.living import migrated
from tests.layouts.servers import module
from tests.runtime.nurseries import planted
from tests.runtime.samples import SAMPLES
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.environments import environment
from tests.support.files import executable, tree, write
from tests.support.repositories import committed

FILE = "tests/test_progressive_disclosure.py"
PYTEST = "pytest==8.4.1"


RUN = """
import sys, pytest
sys.executable = sys.argv[1]
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "tests"]))
"""


def run_tests(root: Path, pins: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """The tests of a repository, with nothing installed but what its server needs, and pytest.

    The interpreter that they start a server with, a dozen times, makes forks of what has imported the same packages.
    """
    python = executable(root.with_name("python"), f'exec {shlex.join(planted(pins))} "$@"')
    command = [str(environment((*pins, PYTEST))), "-B", "-c", RUN, str(python)]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=250, check=False)


@pytest.mark.slow
def test_the_tests_pass_in_the_repository_of_a_sample(tmp_path: Path) -> None:
    sample = SAMPLES["mcp2_lowlevel"]
    root = sample.migrated(tmp_path / "sample", "--with-tests")
    done = run_tests(root, sample.pins)
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"(\d+) passed", done.stdout)
    assert int(passed[1]) == 14


MUTANTS = {
    "an open gate": ('if session.policy == "off" or', 'if session.policy != "none" or'),
    "full texts are listed": ("own or first_sentence(said) or tool['name']", "said"),
    "full schemas are listed": ('skeleton_schema(tool["inputSchema"])', 'tool["inputSchema"]'),
    "definitions equal to stubs": ("tool = {**tool, **{key", "tool = {**self._stub(tool), **{key"),
    "one fetch opens all": ("session.granted.update(known)", "session.granted.update(tools)"),
}
"""What the tests have to notice, as changes of the generated module."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mcp1_lowlevel", "mcp2_mcpserver"])
def test_the_tests_fail_on_every_mutant_of_the_module(name: str, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    root = sample.migrated(tmp_path / "sample", "--with-tests")
    module_file = root / "progressive_disclosure.py"
    text = module_file.read_text(encoding="utf-8")
    survived = []
    for mutant, (old, new) in MUTANTS.items():
        assert text.count(old) == 1, mutant
        module_file.write_text(text.replace(old, new), encoding="utf-8")
        done = run_tests(root, sample.pins)
        if done.returncode == 0:
            survived.append(mutant)
    assert survived == []


def project(root: Path, **files: str) -> Path:
    return committed(write(root, {"pyproject.toml": "", "server.py": module(), **files}))


def test_the_tests_are_written_once_and_left_to_the_person(tmp_path: Path) -> None:
    root = project(tmp_path)
    before = tree(root)
    migrated(root)
    assert not (root / FILE).exists()
    migrated(root, "--with-tests", "--allow-dirty")
    written = (root / FILE).read_text(encoding="utf-8")
    (root / FILE).write_text(f"{written}\n\ndef test_mine() -> None:\n    pass\n", encoding="utf-8")
    changed = tree(root)
    assert pdmigrate("check", root).status == 0
    assert pdmigrate("sync", root).status == 0
    assert "nothing to do" in pdmigrate("apply", root, "--with-tests", *VERSIONS).stderr
    assert tree(root) == changed

    ran = pdmigrate("revert", root)
    assert ran.status == 0
    assert f"PD611 note: {FILE} was changed since it was written and is kept" in ran.stderr
    assert tree(root) == {**before, FILE: changed[FILE]}


def test_tests_of_another_policy_are_named(tmp_path: Path) -> None:
    root = project(tmp_path)
    migrated(root, "--with-tests")
    committed(root)
    line = f"PD543 warning: {FILE} is unchanged since pdmigrate wrote it, and would be written differently now"
    assert line not in pdmigrate("apply", root, "--with-tests", *VERSIONS).stderr
    written = (root / FILE).read_bytes()
    assert line in pdmigrate("apply", root, "--stdio", "advise", "--write", "--with-tests", *VERSIONS).stderr
    assert (root / FILE).read_bytes() == written


def test_a_file_of_that_name_stays_and_one_of_ours_goes_with_the_migration(tmp_path: Path) -> None:
    root = project(tmp_path, **{FILE: "mine = 1\n"})
    ran = migrated(root, "--with-tests")
    assert f"PD543 warning: {FILE} exists already and was not written by pdmigrate: " in ran.stderr
    assert (root / FILE).read_text(encoding="utf-8") == "mine = 1\n"
    (root / FILE).unlink()
    migrated(root, "--with-tests", "--allow-dirty")
    assert (root / FILE).exists()
    assert pdmigrate("revert", root).status == 0
    assert not (root / FILE).exists()


TYPER = """\
import typer

from desk.server import serve

app = typer.Typer()


@app.command()
def stdio():
    serve()


@app.command()
def sse(): ...
"""
COMMAND_LINE = {
    "pyproject.toml": '[project]\nname = "desk"\nversion = "1"\n[project.scripts]\ndesk = "desk.__main__:app"\n',
    "src/desk/__main__.py": f'{TYPER}\n\nif __name__ == "__main__":\n    app()\n',
    "src/desk/server.py": module().partition("if __name__")[0] + "\n\ndef serve():\n    run()\n",
}
UVX = {"README.md": "```bash\nuvx desk stdio\nuvx desk sse\n```\n"}
BY_NAME = '[sys.executable, "-c", "import sys; from desk.__main__ import app; sys.exit(app())", "stdio"]'
MODULE = {"pkg/__init__.py": "", "pkg/server.py": module()}


PACKAGE = {"pkg/__init__.py": "", "pkg/server/__init__.py": module(), "pkg/__main__.py": "from pkg.server import *\n"}
IN_SRC = {"src/pkg/__init__.py": "", "src/pkg/__main__.py": "from pkg import server\n", "src/pkg/server.py": module()}
SCRIPT = {
    "pyproject.toml": '[project]\nname = "pkg"\nversion = "1"\n[project.scripts]\nit = "pkg.main:cli"\n',
    "pkg/__init__.py": "",
    "pkg/main.py": "from pkg.inner.server import server\n\ndef cli(): ...\n",
    "pkg/inner/__init__.py": "",
    "pkg/inner/server.py": module().partition("if __name__")[0],
}
CLI = '[sys.executable, "-c", "import sys; from pkg.main import cli; sys.exit(cli())"]'
TOP, SRC = "ROOT", 'ROOT / "src"'
STARTS = {
    "a file at the top": ({"server.py": module()}, "", TOP, '[sys.executable, "server.py"]'),
    "the __init__.py of a package": (PACKAGE, "", TOP, '[sys.executable, "-m", "pkg"]'),
    "a package in src": (IN_SRC, "", SRC, '[sys.executable, "-m", "pkg"]'),
    "a console script that imports it": (SCRIPT, "", TOP, CLI),
    "a module of a package": (MODULE, "", TOP, '[sys.executable, "-m", "pkg.server"]'),
    "a subcommand of the README": ({**COMMAND_LINE, **UVX}, "", SRC, BY_NAME),
    "-m": (COMMAND_LINE, "python -m desk stdio", SRC, '[sys.executable, "-m", "desk", "stdio"]'),
    "top": (MODULE, "/usr/bin/python3.12 -m pkg.server -v", TOP, '[sys.executable, "-m", "pkg.server", "-v"]'),
    "a script": (MODULE, "python pkg/server.py x", TOP, '[sys.executable, "pkg/server.py", "x"]'),
    "another program": (MODULE, "./start.sh --fast", TOP, '["./start.sh", "--fast"]'),
}


@pytest.mark.parametrize("case", STARTS)
def test_the_tests_start_the_server_as_it_was_asked_or_as_its_project_does(tmp_path: Path, case: str) -> None:
    files, asked, folder, command = STARTS[case]
    root = committed(write(tmp_path, {"pyproject.toml": "", **files}))
    project, settings = load_project(root, ".", Settings()), Settings()
    plan = plan_migration(project, settings, tests=True, asked=asked)
    (text,) = (change.after.decode() for change in plan.changes if change.path == FILE and change.after)
    assert f"FOLDER = {folder}  #" in text
    assert f"COMMAND = {command}  #" in text
    assert ("import sys\n" in text) is ("sys.executable" in command)


def test_a_server_whose_tools_have_no_names_in_source_gets_no_tests(tmp_path: Path) -> None:
    named = module().replace('name="find_note"', "name=input()").replace('name="drop_note"', "name=input()")
    root = committed(write(tmp_path, {"pyproject.toml": "", "server.py": named}))
    ran = migrated(root, "--with-tests")
    assert "PD543 warning: no tests of notes are written: source shows the name of none of its tools" in ran.stderr
    assert not (root / FILE).exists()


@pytest.mark.parametrize("policy", ["advise", "off"])
def test_no_refusal_is_expected_where_none_is_given(tmp_path: Path, policy: str) -> None:
    root = project(tmp_path)
    migrated(root, "--with-tests", "--stdio", policy)
    text = (root / FILE).read_text(encoding="utf-8")
    assert "def test_a_tool_is_fetched_then_called" in text
    assert "test_a_model_that_skips_the_fetch" not in text
