"""Servers whose folders were moved or renamed after the migration."""

from __future__ import annotations

import shutil

from tests.check.desk import LOCK, MODULE, SERVER, Desk
from tests.support.files import write


def renamed(desk: Desk, name: str) -> dict[str, bytes]:
    """Give the package another name, with all that names it; the project as it would be without the migration."""

    def named(text: str) -> str:
        return text.replace('packages = ["notes"]', f'packages = ["{name}"]')

    shutil.move(desk.root / "notes", desk.root / name)
    for file in (desk.root / "pyproject.toml", *(desk.root / name).glob("*.py")):
        if "progressive" not in file.name:
            file.write_text(named(file.read_text(encoding="utf-8")), encoding="utf-8")
    return {path.replace("notes/", f"{name}/"): named(text).encode() for path, text in desk.files.items()}


def test_a_folder_that_was_renamed_is_followed_and_can_be_reverted(written: Desk) -> None:
    before = renamed(written, "minutes")
    ran = written.run("revert")
    assert (ran.status, "run `pdmigrate sync` first" in ran.stderr) == (1, True)
    assert (written.root / "minutes/progressive_disclosure.py").is_file()
    ran = written.run("check")
    assert (ran.status, "PD911" in ran.stdout) == (1, True)
    assert written.run("sync").status == 0
    assert written.run("check").status == 0
    assert written.run("apply", "--check", "--allow-dirty").status == 0
    assert written.run("revert").status == 0
    assert written.tree() == before


def test_a_module_that_was_edited_and_moved_is_not_lost_sight_of(written: Desk) -> None:
    written.write(MODULE, written.read(MODULE) + "MINE = 1\n")
    renamed(written, "minutes")
    for _ in range(2):
        ran = written.run("check")
        assert (ran.status, "PD537" in ran.stdout) == (1, True)
        written.run("sync")
    written.write("README.md", "Notes.\n")
    assert "PD537" not in written.run("check", written.root / "README.md").stdout, "it is not touched by this file"
    assert "PD537" in written.run("check", written.root / "minutes/server.py").stdout


def test_a_server_that_moved_without_its_module_is_not_migrated_twice(written: Desk) -> None:
    text = written.read(SERVER).replace("from .progressive", "from notes.progressive")
    write(written.root, {"notes/inner/__init__.py": "", "notes/inner/server.py": text})
    (written.root / SERVER).unlink()
    ran = written.run("check")
    assert "move notes/progressive_disclosure.py and its descriptions beside the server" in ran.stdout
    written.run("apply", "--write", "--allow-dirty")
    assert not (written.root / "notes/inner/progressive_disclosure.py").exists()


def test_a_server_that_is_gone_with_its_files_is_forgotten_on_request(written: Desk) -> None:
    shutil.rmtree(written.root / "notes")
    ran = written.run("check")
    assert (ran.status, "PD530" in ran.stdout) == (1, True)
    assert written.run("sync", "--prune").status == 0
    assert written.run("check").status == 0
    assert "progressive_disclosure.py" not in written.read(LOCK)
