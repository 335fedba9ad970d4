"""Servers whose folders were moved or renamed after the migration."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.check.desk import Desk, copied


@pytest.fixture(params=["mcp1-lowlevel", "mcp1-fastmcp"])
def notes(
    request: pytest.FixtureRequest,
    templates: Callable[[str], Desk],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    here = copied(templates(request.param), tmp_path / "project")
    monkeypatch.chdir(here.root)
    return here


def renamed(desk: Desk, name: str) -> dict[str, bytes]:
    """Give the package another name, with all that names it; the project as it would be without the migration."""

    def named(text: str) -> str:
        return text.replace('packages = ["notes"]', f'packages = ["{name}"]')

    shutil.move(desk.root / "notes", desk.root / name)
    for file in (desk.root / "pyproject.toml", *(desk.root / name).glob("*.py")):
        if "progressive" not in file.name:
            file.write_text(named(file.read_text(encoding="utf-8")), encoding="utf-8")
    return {path.replace("notes/", f"{name}/"): named(text).encode() for path, text in desk.dialect.files.items()}


@pytest.mark.parametrize("notes", ["mcp1-fastmcp"], indirect=True)
def test_a_folder_that_was_renamed_is_followed_and_can_be_reverted(notes: Desk) -> None:
    before = renamed(notes, "minutes")
    ran = notes.run("check")
    assert ran.status == 1
    assert "PD911" in ran.stdout
    assert notes.run("sync").status == 0
    assert notes.run("check").status == 0
    assert notes.run("apply", "--check", "--allow-dirty").status == 0
    assert notes.run("revert").status == 0
    assert notes.tree() == before


def test_a_folder_that_was_renamed_is_reverted_only_after_sync(notes: Desk) -> None:
    renamed(notes, "minutes")
    ran = notes.run("revert")
    assert ran.status == 1
    assert "run `pdmigrate sync` first" in ran.stderr
    assert (notes.root / "minutes/progressive_disclosure.py").is_file()


def test_a_module_that_was_edited_and_moved_is_not_lost_sight_of(notes: Desk) -> None:
    with (notes.root / notes.dialect.module).open("a", encoding="utf-8") as module:
        module.write("MINE = 1\n")
    renamed(notes, "minutes")
    for _ in range(2):
        ran = notes.run("check")
        assert ran.status == 1
        assert "PD537" in ran.stdout
        notes.run("sync")


def test_a_server_that_moved_without_its_module_is_not_migrated_twice(notes: Desk) -> None:
    (notes.root / "notes/inner").mkdir()
    notes.write("notes/inner/__init__.py", "")
    (notes.root / "notes/server.py").rename(notes.root / "notes/inner/server.py")
    text = notes.read("notes/inner/server.py").replace("from .progressive", "from notes.progressive")
    notes.write("notes/inner/server.py", text)
    ran = notes.run("check")
    assert ran.status == 1
    assert "move notes/progressive_disclosure.py and its descriptions beside the server" in ran.stdout
    notes.run("apply", "--write", "--allow-dirty")
    assert not (notes.root / "notes/inner/progressive_disclosure.py").exists()


def test_a_server_that_is_gone_with_its_files_is_forgotten_on_request(notes: Desk) -> None:
    shutil.rmtree(notes.root / "notes")
    ran = notes.run("check")
    assert ran.status == 1
    assert "PD530" in ran.stdout
    assert notes.run("sync", "--prune").status == 0
    assert notes.run("check").status == 0
    assert "progressive_disclosure.py" not in notes.read(".pdmigrate/lock.json").partition('"written"')[0]
