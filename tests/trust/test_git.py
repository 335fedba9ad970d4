"""git is asked through one function, and what a repository says runs nothing."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from pdmigrate.disk.vcs import git as our_git
from pdmigrate.source.discover import python_files
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import executable, write
from tests.support.repositories import git
from tests.trust.hostile import RUNNING, SERVER, Victim, embedded

PACKAGE = Path(our_git.__file__).parents[2]

STARTED = {
    "disk/vcs/git.py": "git, by one function and with everything off that a repository may ask for",
    "understand/inventory/side_by_side.py": "copies of pdmigrate itself, which start nothing",
    "live/wire/stdio.py": "the server that the user names with --live or --command",
}
"""The modules that start processes, and which."""
STARTING = re.compile(
    r"os\.(system|popen|exec\w+|spawn\w+|posix_spawn\w*|fork\w*|startfile)|asyncio\.create_subprocess\w+"
)


def test_programs_are_started_in_three_places() -> None:
    starting = {
        file.relative_to(PACKAGE).as_posix()
        for file in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_bytes()))
        if not {name.partition(".")[0] for name in imported(node)}.isdisjoint(("subprocess", "pty", "multiprocessing"))
        or (isinstance(node, ast.Attribute) and STARTING.fullmatch(ast.unparse(node)))
    }
    assert starting == set(STARTED)


def imported(node: ast.AST) -> list[str]:
    """The dotted names that a statement imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [f"{node.module}.{alias.name}" for alias in node.names] if isinstance(node, ast.ImportFrom) else []


@pytest.mark.parametrize(
    "command", [("extract", "--no-write"), ("extract",), ("apply",), ("apply", "--write"), ("revert",)]
)
def test_an_embedded_repository_runs_nothing(command: tuple[str, ...], tmp_path: Path) -> None:
    victim = Victim(tmp_path)
    embedded(victim.root / "sub", victim.canary)
    write(victim.root, {"sub/pyproject.toml": b"", "sub/server.py": SERVER})
    protected = victim.protected()
    ended = pdmigrate(command[0], victim.root / "sub", *command[1:], *(VERSIONS if command[0] != "revert" else ()))
    assert not victim.canary.exists()
    assert victim.protected() == protected
    assert "mistake in pdmigrate" not in ended.stderr
    if "--write" in command or command == ("extract",):
        assert (ended.status, "PD605" in ended.stderr) == (2, True), "what git takes for a repository is not written to"


@pytest.mark.parametrize("name", RUNNING)
def test_the_settings_of_a_repository_run_nothing(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    victim = Victim(tmp_path, {".gitattributes": b"*.py filter=x diff=x\n"})
    program = executable(tmp_path / "programs/post-index-change", f"touch {victim.canary}\ncat")
    text = RUNNING[name].replace("PROGRAM", str(program)).replace("FOLDER", str(program.parent)).replace("MORE", "more")
    with (victim.root / ".git/config").open("a") as config:
        config.write(text)
    (victim.root / ".git/more").write_text(RUNNING["filters"].replace("PROGRAM", str(program)))
    (victim.root / "server.py").write_bytes(SERVER + b"# edited\n")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(program))
    monkeypatch.setenv("GIT_PAGER", str(program))
    paths = ["server.py", "pyproject.toml"]
    assert our_git.dirty(victim.root, paths) == ("server.py",)
    assert our_git.ignored(victim.root, paths) == ()
    assert our_git.tracks(victim.root, "server.py")
    assert our_git.prefix(victim.root) == ""
    assert our_git.blob(victim.root, "0" * 40) is None
    assert our_git.blob(victim.root, "HEAD:./server.py") == SERVER
    assert python_files(victim.root) == ("server.py",)
    assert not victim.canary.exists()
    git(victim.root, "status")


def test_a_program_in_the_folder_is_not_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    victim = Victim(tmp_path)
    executable(victim.root / "git", f"touch {victim.canary}")
    monkeypatch.chdir(victim.root)
    monkeypatch.setenv("PATH", f".:{Path()}:")
    assert our_git.repository(victim.root) is None
    assert not victim.canary.exists()


def test_git_that_does_not_answer_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = executable(tmp_path / "bin/git", "exec sleep 60")
    write(tmp_path, {"a.py": b""})
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    monkeypatch.setattr(our_git, "TIMEOUT", 0.2)
    assert python_files(tmp_path) == ("a.py",)
