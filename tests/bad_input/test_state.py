"""State of an earlier migration that is missing or spoiled, settings that make no sense, work that is not committed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bad_input.cases import Bad, check_refused, check_said
from tests.layouts.living import migrated
from tests.layouts.servers import module
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import tree, write
from tests.support.repositories import committed, git

SERVER = module()
LOCK = ".pdmigrate/lock.json"
MODULE = "progressive_disclosure.py"
RESTORED = "hint: if the folder was moved, put its new path into the lock; else restore the lock from version control\n"
RESTORE = "hint: restore it from version control\n"
EXPLAIN = "hint: pdmigrate explain PD606\n"

LOCKS = {
    "cut off": ("{", (f"error[PD606]: {LOCK} is not valid JSON: ", RESTORE, EXPLAIN)),
    "newer": (
        '{"version": 99}',
        (f"error[PD606]: {LOCK} was written by a newer pdmigrate (version 99)\n", "hint: update "),
    ),
    "in a merge": (
        '{\n  "version": 1,\n<<<<<<< HEAD\n  "a": 1\n=======\n  "a": 2\n>>>>>>> other\n}\n',
        (
            f"error[PD606]: {LOCK} holds the markers of a merge conflict in line 3\n",
            "hint: take either side (`git checkout --ours .pdmigrate`)",
        ),
    ),
}


@pytest.mark.parametrize("command", [("apply", "--write"), ("extract",), ("revert",), ("check",), ("sync",)])
@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_that_cannot_be_read_stops_every_command(name: str, command: tuple[str, ...], tmp_path: Path) -> None:
    content, said = LOCKS[name]
    check_refused(tmp_path, Bad({"server.py": SERVER, LOCK: content}, said, status=2, command=command))


def test_a_lock_that_is_lost_stops_a_second_run_where_the_module_stands(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "", "server.py": SERVER})
    migrated(tmp_path)
    (tmp_path / LOCK).unlink()
    lost = tree(tmp_path)
    ran = pdmigrate("apply", "--all", tmp_path, "--write", *VERSIONS)
    assert ran.status == 1
    check_said(ran, tmp_path, ("PD537 error: ", f"made by pdmigrate, and {LOCK} does not", RESTORED))
    ran = pdmigrate("revert", tmp_path)
    assert (ran.status, ran.stdout) == (1, "")
    assert "nothing to revert: no migration is recorded here" in ran.stderr
    assert tree(tmp_path) == lost


def test_a_state_folder_that_is_a_file_is_said(tmp_path: Path) -> None:
    said = (
        "error[PD602]: ROOT/.pdmigrate/journal cannot be used: Not a directory; nothing was changed\n",
        "hint: rename or remove the file in its way\n",
    )
    check_refused(tmp_path, Bad({"server.py": SERVER, ".pdmigrate": "mine\n"}, said, status=2))


def test_settings_that_are_no_text_stop_the_command(tmp_path: Path) -> None:
    said = ("error[PD803]: ROOT/pyproject.toml cannot be read: ", "hint: correct the file")
    check_refused(tmp_path, Bad({"server.py": SERVER, "pyproject.toml": b"[tool.pdmigrate]\n\xff\n"}, said, status=2))


@pytest.mark.parametrize("staged", [False, True])
def test_work_that_is_not_committed_is_named_and_kept(staged: bool, tmp_path: Path) -> None:
    root = committed(write(tmp_path, {"pyproject.toml": "", "server.py": SERVER, "other.py": ""}))
    write(root, {"server.py": SERVER + "# mine\n", "other.py": "x = 1\n"})
    if staged:
        git(root, "add", "--all")
    before = tree(root)
    ran = pdmigrate("apply", "--all", root, "--write", *VERSIONS)
    assert (ran.status, ran.stdout) == (2, "")
    said = (
        "error: these files have uncommitted changes: server.py\n",
        "hint: commit or stash them, or use --allow-dirty\n",
    )
    check_said(ran, root, said)
    assert pdmigrate("apply", "--all", root, *VERSIONS).status == 0, "a preview is in nobody's way"
    assert tree(root) == before
    migrated(root, "--allow-dirty")
    assert pdmigrate("revert", root).status == 0
    assert tree(root) == before


def test_without_git_installed_everything_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = committed(write(tmp_path, {"pyproject.toml": "", "server.py": SERVER}))
    before = tree(root)
    monkeypatch.setenv("PATH", "")
    migrated(root)
    assert pdmigrate("apply", "--all", root, "--check", *VERSIONS).status == 0
    assert pdmigrate("revert", root).status == 0
    assert tree(root) == before


def test_an_edited_module_is_said_before_it_is_generated_anew(tmp_path: Path) -> None:
    root = write(tmp_path, {"pyproject.toml": "", "server.py": SERVER})
    migrated(root)
    made = (root / MODULE).read_bytes()
    committed(root)
    (root / MODULE).write_bytes(made + b"\n\nMINE = 1\n")
    edited = tree(root)
    said = (
        f"{MODULE}:1: PD536 warning: {MODULE} was edited or formatted since it was generated, and is generated anew\n",
    )
    check_said(pdmigrate("apply", "--all", root, *VERSIONS), root, said)
    assert tree(root) == edited
    ran = pdmigrate("apply", "--all", root, "--write", *VERSIONS)
    assert ran.status == 2
    check_said(ran, root, (f"error: these files have uncommitted changes: {MODULE}\n", "--allow-dirty"))
    assert tree(root) == edited
    migrated(root, "--allow-dirty")
    assert (root / MODULE).read_bytes() == made


def test_description_files_are_not_those_of_two_servers(tmp_path: Path) -> None:
    root = write(tmp_path, {"pyproject.toml": "", "server.py": SERVER})
    migrated(root)
    text = (root / "server.py").read_text()
    text = text.replace("\n\nasync def main", '\n\nother = Server("other")\nenable(other)\n\n\nasync def main', 1)
    write(root, {"server.py": text})
    before = tree(root)
    ran = pdmigrate("apply", "--all", root, "--write", *VERSIONS)
    assert ran.status == 1
    check_said(
        ran, root, ("PD535 error: the server made at server.py:", "is enabled for tool_descriptions, which belongs to")
    )
    after = tree(root)
    assert {path for path in after if after[path] != before.get(path)} <= {LOCK}
