"""Projects in a bad way: a clear message each, and nothing lost."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.check.desk import DIALECTS, Desk, unmigrated
from tests.support.command_line import pdmigrate

LOCK = ".pdmigrate/lock.json"
MOVED = "notes/tool_descriptions/find_note.json"


@pytest.mark.parametrize("command", ["check", "sync"])
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        pytest.param(
            lambda desk: (desk.root / LOCK).unlink(),
            (f"error[PD606]: {LOCK} is missing in ", "hint: restore it from version control\n"),
            id="missing",
        ),
        pytest.param(
            lambda desk: shutil.rmtree(desk.root / ".pdmigrate"),
            ("error: nothing to compare: no .pdmigrate/lock.json at or above ", "restore that folder from version"),
            id="the whole folder missing",
        ),
    ],
)
def test_a_lock_that_cannot_be_used_stops_it(
    desk: Desk, spoil: Callable[[Desk], object], said: tuple[str, ...], command: str
) -> None:
    assert desk.run("check").status == 0, "a record of agreement must not hide it"
    spoil(desk)
    before = desk.tree()
    ran = desk.run(command)
    assert ran.status == 2
    assert all(part in ran.stderr for part in said), ran.stderr
    assert desk.tree() == before


def test_a_project_that_was_never_migrated_is_said(tmp_path: Path) -> None:
    ran = pdmigrate("check", tmp_path)
    assert ran.status == 2
    assert "`pdmigrate apply` migrates a project" in ran.stderr


def test_a_subfolder_and_the_root_see_the_same(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.edit("find_note", lambda c: c.update(summary="Mine."))
    at_root = json.loads(pdmigrate("check", "--format", "json").stdout)
    monkeypatch.chdir(desk.root / "notes" / "tool_descriptions")
    ran = pdmigrate("check", "--format", "json")
    below = json.loads(ran.stdout)
    assert ran.status == 1
    assert [f["file"] for f in at_root["findings"]] == [MOVED]
    assert [f["file"] for f in below["findings"]] == ["find_note.json"]
    assert sorted(c["path"] for c in below["changes"])[:1] == ["../../.pdmigrate/lock.json"]


def test_one_file_is_enough(desk: Desk) -> None:
    desk.edit("find_note", lambda c: c.update(summary="Mine."))
    ran = pdmigrate("check", MOVED)
    assert ran.status == 1
    assert ran.stdout.startswith(f"{MOVED}:")
    assert pdmigrate("sync", MOVED).status == 0
    assert pdmigrate("check", MOVED).status == 0


def test_a_file_of_nobody_is_no_reason_to_look(desk: Desk) -> None:
    assert pdmigrate("check").status == 0
    desk.edit("find_note", lambda c: c.update(summary="Mine."))
    desk.write("docs/index.md", "x\n")
    assert pdmigrate("check", "docs/index.md").status == 0
    assert pdmigrate("check", "notes/server.py").status == 1


def test_a_changed_module_elsewhere_counts_for_the_tools_built_on_it(desk: Desk) -> None:
    assert pdmigrate("check").status == 0
    desk.replace("notes/shapes.py", "max_length=2000", "max_length=5")
    ran = pdmigrate("check", "notes/shapes.py")
    assert ran.status == 1
    assert "PD901" in ran.stdout


def test_a_misspelled_file_is_said_and_a_deleted_one_is_not(desk: Desk) -> None:
    ran = pdmigrate("check", "notes/servr.py")
    assert ran.status == 2
    assert "notes/servr.py does not exist" in ran.stderr
    (desk.root / MOVED).unlink()
    ran = pdmigrate("check", MOVED)
    assert ran.status == 1
    assert "PD517" in ran.stdout


@pytest.mark.parametrize("path", [MOVED, LOCK, "notes/progressive_disclosure.py", "notes/server.py"])
def test_other_line_ends_are_no_difference(desk: Desk, path: str) -> None:
    desk.write(path, desk.read(path).replace("\n", "\r\n"))
    ran = desk.run("check")
    assert (ran.status, ran.stdout) == (0, "")
    before = desk.tree()
    assert desk.run("sync").status == 0
    assert desk.tree() == before


def test_a_file_that_vanishes_under_way_is_said(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the plan was made from is looked at again before anything is written."""
    from pdmigrate.cli import writing
    from pdmigrate.disk import Seen
    from pdmigrate.migrate.write.carrying import carry_out
    from pdmigrate.model import Plan

    def vanishing(root: Path, plan: Plan, read: Seen) -> None:
        (desk.root / "notes/server.py").write_text("# gone\n", encoding="utf-8")
        carry_out(root, plan, read)

    desk.edit("find_note", lambda c: c.update(summary="Mine."))
    monkeypatch.setattr("pdmigrate.cli.agreeing.carry_out", vanishing)
    monkeypatch.setattr(writing, "_ATTEMPTS", 2)
    monkeypatch.setattr(writing, "_PAUSE", 0.0)
    ran = desk.run("sync")
    assert ran.status == 1
    assert "PD530" in ran.stdout, "the server is gone by the time of the second attempt"
    assert desk.content("find_note")["summary"] == "Mine."


def test_a_server_that_cannot_be_read_any_more_fails_and_loses_nothing(desk: Desk) -> None:
    desk.write("notes/server.py", desk.read("notes/server.py") + "\ndef broken(:\n")
    before = desk.tree()
    for command in ("check", "sync"):
        ran = desk.run(command)
        assert ran.status == 1
        assert "PD530" in ran.stdout
        assert "PD101" in ran.stdout
        assert desk.tree() == before


def test_the_command_that_is_named_settles_everything(desk: Desk) -> None:
    desk.drop("share_note")
    desk.replace("notes/server.py", "Change a note.", "Change one note.")
    ran = desk.run("check")
    assert ran.stderr.endswith("to bring code and files back into agreement:\n    pdmigrate sync --prune\n"), ran.stderr
    assert desk.run("sync", "--prune").status == 0
    desk.replace("notes/server.py", "Change one note.", "Change notes.")
    assert desk.run("check").stderr.endswith("to bring code and files back into agreement:\n    pdmigrate sync\n")


def test_pruning_refuses_words_that_are_in_no_commit(desk: Desk) -> None:
    desk.edit("share_note", lambda c: c.update(usage_guidance="Mine."))
    desk.drop("share_note")
    before = desk.tree()
    ran = desk.run("sync", "--prune")
    assert ran.status == 2
    assert "share_note.json" in ran.stderr
    assert "--allow-dirty" in ran.stderr
    assert desk.tree() == before
    assert desk.run("sync", "--prune", "--allow-dirty").status == 0
    assert not (desk.root / "notes/tool_descriptions/share_note.json").exists()


def test_a_project_that_is_only_described_is_kept_in_agreement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = unmigrated(tmp_path / "project", DIALECTS["mcp1-lowlevel"])
    monkeypatch.chdir(here.root)
    assert pdmigrate("extract").status == 0
    assert here.run("check").status == 0
    here.replace("notes/server.py", "Share a note with", "Share one note with")
    ran = here.run("check")
    assert (ran.status, "PD901" in ran.stdout) == (1, True)
    assert here.run("sync").status == 0
    assert here.content("share_note")["description"].startswith("Share one note with")
    assert "enable(" not in here.read("notes/server.py")


def test_a_module_can_be_kept_as_ones_own(desk: Desk) -> None:
    desk.replace("notes/progressive_disclosure.py", "PERIOD = 40", "PERIOD = 20")
    assert desk.run("sync").status == 1
    desk.replace("pyproject.toml", "[tool.pdmigrate]\n", '[tool.pdmigrate]\nignore = ["PD908"]\n')
    assert desk.run("check").status == 0
    desk.edit("find_note", lambda c: c.update(summary="Mine."))
    assert desk.run("sync").status == 0
    assert 'description="Mine."' in desk.read("notes/server.py")
    assert "PERIOD = 20" in desk.read("notes/progressive_disclosure.py")


def test_a_newer_pdmigrate_renders_the_module_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from pdmigrate.runtime import render

    assert desk.run("check").status == 0
    wanted = desk.read("notes/progressive_disclosure.py")
    newer = render.render_module

    def rendered(spec: render.ModuleSpec) -> str:
        return newer(spec).replace("PERIOD = 40", "PERIOD = 12")

    monkeypatch.setattr("pdmigrate.migrate.plan.code.render_module", rendered)
    monkeypatch.setattr("pdmigrate.record.quick._FORM", "of another version")
    ran = desk.run("check")
    assert ran.status == 1
    assert "PD907" in ran.stdout
    assert "PERIOD = 12" in ran.stdout
    assert desk.run("sync").status == 0
    assert desk.read("notes/progressive_disclosure.py") == wanted.replace("PERIOD = 40", "PERIOD = 12")
