"""Projects in a bad way: a clear message each, and nothing lost."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.check.desk import LOCK, MODEL, MODULE, MOVED, OWNED, SERVER, Desk, unmigrated
from tests.report.test_contract import SARIF
from tests.support.command_line import pdmigrate
from tests.support.files import write

LOST: dict[str, tuple[Callable[[Desk], object], tuple[str, ...]]] = {
    "the lock": (
        lambda desk: (desk.root / LOCK).unlink(),
        (f"error[PD606]: {LOCK} is missing in ", "hint: restore it from version control\n"),
    ),
    "the whole folder": (
        lambda desk: shutil.rmtree(desk.root / ".pdmigrate"),
        ("error: nothing to compare: no .pdmigrate/lock.json at or above ", "restore that folder from version"),
    ),
}


@pytest.mark.parametrize("command", ["check", "sync"])
@pytest.mark.parametrize("name", LOST)
def test_a_lock_that_is_missing_stops_it(desk: Desk, name: str, command: str) -> None:
    spoil, said = LOST[name]
    assert desk.run("check").status == 0, "a record of agreement must not hide it"
    spoil(desk)
    before = desk.tree()
    ran = desk.run(command)
    assert ran.status == 2
    assert all(part in ran.stderr for part in said), ran.stderr
    assert desk.tree() == before


def test_a_project_that_was_never_migrated_is_said(tmp_path: Path) -> None:
    ran = pdmigrate("check", tmp_path)
    assert (ran.status, "`pdmigrate apply` migrates a project" in ran.stderr) == (2, True)


def test_a_subfolder_and_the_root_see_the_same(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.summarise("Mine.")
    at_root = json.loads(pdmigrate("check", "--format", "json").stdout)
    monkeypatch.chdir(desk.root / "notes" / "tool_descriptions")
    ran = pdmigrate("check", "--format", "json")
    below = json.loads(ran.stdout)
    assert ran.status == 1
    assert [f["file"] for f in at_root["findings"]] == [MOVED]
    assert [f["file"] for f in below["findings"]] == ["find_note.json"]
    assert sorted(c["path"] for c in below["changes"])[:1] == ["../../.pdmigrate/lock.json"]


def test_files_that_are_named_are_reason_enough_and_no_others(desk: Desk) -> None:
    assert pdmigrate("check").status == 0
    desk.summarise("Mine.")
    desk.write("docs/index.md", "x\n")
    assert pdmigrate("check", "docs/index.md").status == 0
    assert pdmigrate("check", SERVER).status == 1
    assert pdmigrate("check", MOVED).stdout.startswith(f"{MOVED}:")
    assert pdmigrate("sync", MOVED).status == 0
    assert pdmigrate("check", MOVED).status == 0
    desk.replace(MODEL, "max_length=2000", "max_length=5")
    assert "PD901" in pdmigrate("check", MODEL).stdout, "a tool is built on it"
    ran = pdmigrate("check", "notes/servr.py")
    assert (ran.status, "notes/servr.py does not exist" in ran.stderr) == (2, True)
    (desk.root / MOVED).unlink()
    assert pdmigrate("check", MOVED).status == 2
    assert "PD517" in pdmigrate("check", str(Path(MOVED).parent)).stdout


@pytest.mark.parametrize("path", [MOVED, LOCK, MODULE, SERVER])
def test_other_line_ends_are_no_difference(desk: Desk, path: str) -> None:
    desk.write(path, desk.read(path).replace("\n", "\r\n"))
    before = desk.tree()
    for command in ("check", "sync"):
        ran = desk.run(command)
        assert (ran.status, ran.stdout) == (0, "")
    assert desk.tree() == before


def test_a_file_that_vanishes_under_way_is_said(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the plan was made from is looked at again before anything is written."""
    from pdmigrate.cli import writing
    from pdmigrate.migrate.write.carrying import carry_out

    def vanishing(*arguments: Any) -> None:
        desk.write(SERVER, "# gone\n")
        carry_out(*arguments)

    desk.summarise("Mine.")
    monkeypatch.setattr("pdmigrate.cli.agreeing.carry_out", vanishing)
    monkeypatch.setattr(writing, "_ATTEMPTS", 2)
    monkeypatch.setattr(writing, "_PAUSE", 0.0)
    ran = desk.run("sync")
    assert (ran.status, "PD530" in ran.stdout) == (1, True), "the server is gone by the time of the second attempt"
    assert desk.content("find_note")["summary"] == "Mine."


def test_a_server_that_cannot_be_read_any_more_fails_and_loses_nothing(desk: Desk) -> None:
    desk.write(SERVER, desk.read(SERVER) + "\ndef broken(:\n")
    before = desk.tree()
    for command in ("check", "sync", "extract", "apply"):
        ran = desk.run(command, "--format", "sarif")
        log = json.loads(ran.stdout)
        assert list(SARIF.iter_errors(log)) == []
        said = {result["ruleId"] for result in log["runs"][0]["results"]}
        assert (ran.status, "PD101" in said) == (1, True)
        assert "PD530" in said or command == "extract"
        assert desk.tree() == before


def test_the_command_that_is_named_settles_everything(desk: Desk) -> None:
    desk.drop("share_note")
    desk.replace(SERVER, "Change a note.", "Change one note.")
    ran = desk.run("check")
    assert ran.stderr.endswith("to bring code and files back into agreement:\n    pdmigrate sync --prune\n"), ran.stderr
    assert desk.run("sync", "--prune").status == 0
    desk.replace(SERVER, "Change one note.", "Change notes.")
    assert desk.run("check").stderr.endswith("to bring code and files back into agreement:\n    pdmigrate sync\n")


def test_pruning_refuses_words_that_are_in_no_commit(desk: Desk) -> None:
    desk.edit("share_note", lambda c: c.update(usage_guidance="Mine."))
    desk.drop("share_note")
    before = desk.tree()
    ran = desk.run("sync", "--prune")
    assert (ran.status, "share_note.json" in ran.stderr, "--allow-dirty" in ran.stderr) == (2, True, True)
    assert desk.tree() == before
    assert desk.run("sync", "--prune", "--allow-dirty").status == 0
    assert not (desk.root / OWNED).with_name("share_note.json").exists()


def test_a_project_that_is_only_described_is_kept_in_agreement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = unmigrated(tmp_path / "project", "mcp1-lowlevel")
    monkeypatch.chdir(here.root)
    assert pdmigrate("extract").status == 0
    assert here.run("check").status == 0
    here.replace(SERVER, "Share a note with", "Share one note with")
    ran = here.run("check")
    assert (ran.status, "PD901" in ran.stdout) == (1, True)
    assert here.run("sync").status == 0
    assert here.content("share_note")["description"].startswith("Share one note with")
    assert "enable(" not in here.read(SERVER)


def test_a_module_can_be_kept_as_ones_own(desk: Desk) -> None:
    desk.replace(MODULE, "PERIOD = 40", "PERIOD = 20")
    assert desk.run("sync").status == 1
    desk.replace("pyproject.toml", "[tool.pdmigrate]\n", '[tool.pdmigrate]\nignore = ["PD908"]\n')
    assert desk.run("check").status == 0
    desk.summarise("Mine.")
    assert desk.run("sync").status == 0
    assert 'description="Mine."' in desk.read(SERVER)
    assert "PERIOD = 20" in desk.read(MODULE)


def test_a_newer_pdmigrate_renders_the_module_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from pdmigrate.runtime.render import ModuleSpec, render_module

    assert desk.run("check").status == 0
    wanted = desk.read(MODULE).replace("PERIOD = 40", "PERIOD = 12")

    def rendered(spec: ModuleSpec) -> str:
        return render_module(spec).replace("PERIOD = 40", "PERIOD = 12")

    monkeypatch.setattr("pdmigrate.migrate.plan.code.render_module", rendered)
    monkeypatch.setattr("pdmigrate.record.quick._FORM", "of another version")
    ran = desk.run("check")
    assert (ran.status, "PD907" in ran.stdout, "PERIOD = 12" in ran.stdout) == (1, True, True)
    assert desk.run("sync").status == 0
    assert desk.read(MODULE) == wanted


def renamed(desk: Desk, name: str) -> dict[str, bytes]:
    """Give the package another name, with all that names it; the project as it would be without the migration."""

    def named(text: str) -> str:
        return text.replace('packages = ["notes"]', f'packages = ["{name}"]')

    shutil.move(desk.root / "notes", desk.root / name)
    for file in (desk.root / "pyproject.toml", *(desk.root / name).glob("*.py")):
        if "progressive" not in file.name:
            file.write_text(named(file.read_text(encoding="utf-8")), encoding="utf-8")
    return {path.replace("notes/", f"{name}/"): named(text).encode() for path, text in desk.files.items()}


def test_a_folder_that_was_renamed_in_the_lock_too_can_be_reverted(written: Desk) -> None:
    before = renamed(written, "minutes")
    ran = written.run("revert")
    assert (ran.status, "PD609" in ran.stderr) == (1, True)
    assert (written.root / "minutes/progressive_disclosure.py").is_file()
    ran = written.run("check")
    assert (ran.status, "PD537" in ran.stdout) == (1, True)
    written.write(LOCK, written.read(LOCK).replace("notes/", "minutes/"))
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


def codes(desk: Desk, command: str) -> list[str]:
    return sorted(found["code"] for found in desk.said(command)[1])


def test_guidance_of_the_code_is_lifted_by_sync_and_follows_it_until_it_is_edited(written: Desk) -> None:
    raises = "Returns the newest first.\n\n    Errors:\n        TOO_SHORT: give two letters."
    written.replace(SERVER, "Returns the newest first.", raises)
    assert set(codes(written, "check")) == {"PD901"}
    assert codes(written, "sync") == []
    content = written.content("find_note")
    assert content["lifted"] == ["error_guidance"]
    assert content["error_guidance"]["common_errors"][0]["error"] == "TOO_SHORT"
    assert codes(written, "check") == []
    written.edit("find_note", lambda content: content.update(error_guidance={"common_errors": []}))
    assert codes(written, "check") == ["PD911"]
    assert codes(written, "sync") == []
    assert "lifted" not in written.content("find_note")
    assert codes(written, "check") == []


def test_sync_is_not_said_to_settle_what_it_leaves(desk: Desk) -> None:
    (module,) = (path for path in desk.tree() if path.endswith("progressive_disclosure.py"))
    desk.write(module, desk.read(module) + "\nMINE = 1\n")
    desk.replace(SERVER, "Change a note.", "Change one note.")
    said = "to settle what sync can; the hints say what to do about the rest:\n    pdmigrate sync\n"
    assert desk.run("check").stderr.endswith(said)
