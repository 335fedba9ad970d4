"""``pdmigrate revert`` from end to end."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.cli.projects import SERVER, project
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import tree
from tests.support.processes import run
from tests.support.repositories import commit

MODULE = "progressive_disclosure.py"


def test_a_revert_brings_back_the_bytes(tmp_path: Path) -> None:
    root = project(tmp_path)
    before = tree(root)
    assert pdmigrate("apply", "--all", root, "--write", *VERSIONS).status == 0
    ran = pdmigrate("revert", root)
    assert ran.status == 0
    assert "change  server.py  as before the migration" in ran.stdout
    assert f"remove  {MODULE}" in ran.stdout
    assert "reverted " in ran.stderr
    assert tree(root) == before
    again = pdmigrate("revert", root)
    assert (again.status, again.stdout) == (1, "")
    assert "nothing to revert: no migration is recorded here" in again.stderr


def test_a_module_that_a_formatter_laid_out_anew_is_still_ours(migrated: Path) -> None:
    module = migrated / MODULE
    original = module.read_text(encoding="utf-8")
    module.write_text(original.replace("# fmt: off\n", ""), encoding="utf-8")
    run(sys.executable, "-m", "ruff", "format", "--quiet", "--isolated", "--line-length", "60", module)
    assert module.read_text(encoding="utf-8") != original
    assert pdmigrate("revert", migrated).status == 0
    assert not module.exists()


def test_a_module_that_was_edited_goes_only_by_force(migrated: Path) -> None:
    module = migrated / MODULE
    module.write_text(module.read_text(encoding="utf-8") + "\nMINE = 1\n", encoding="utf-8")
    before = tree(migrated)
    ran = pdmigrate("revert", migrated)
    assert ran.status == 1
    assert f"{MODULE}:1: PD608 error: " in ran.stderr
    assert tree(migrated) == before
    assert pdmigrate("revert", migrated, "--force").status == 0
    assert not module.exists()


def test_a_revert_as_json(migrated: Path) -> None:
    before = tree(migrated)
    ran = pdmigrate("revert", migrated, "--format", "json", "--dry-run")
    assert (ran.status, ran.stderr) == (0, "")
    assert tree(migrated) == before
    assert "next: the same command without --dry-run reverts " in pdmigrate("revert", migrated, "--dry-run").stderr
    value = json.loads(ran.stdout)
    assert value.keys() == {"version", "written", "changes", "findings", "notes"}
    assert value["written"] is False
    assert (MODULE, "remove") in [(change["path"], change["action"]) for change in value["changes"]]
    assert json.loads(pdmigrate("revert", migrated, "--format", "json").stdout)["written"] is True
    assert json.loads(pdmigrate("revert", migrated, "--format", "json").stdout)["written"] is False


POLICIES = 'stdio="enforce", http="advise"'
OTHERS = ('stdio="advise", http="advise"', 'stdio="enforce", http="enforce"')


def test_a_policy_that_was_edited_in_the_code_is_no_obstacle(migrated: Path) -> None:
    text = (migrated / "server.py").read_text()
    (migrated / "server.py").write_text(text.replace(POLICIES, OTHERS[0]) + "# kept\n")
    commit(migrated)
    ran = pdmigrate("revert", migrated)
    assert ran.status == 0, ran.stderr
    assert tree(migrated) == {"server.py": f"{SERVER}# kept\n".encode()}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (f"enable(server, {POLICIES})", f"enable(server, {OTHERS[0]})  # ours"),
        (f"enable(server, {POLICIES})", f"enable(guarded(server), {OTHERS[0]})"),
        (f"enable(server, {POLICIES})\n", f"enable(server, {OTHERS[0]})\nenable(server, {OTHERS[1]})\n"),
    ],
    ids=["a comment", "another server", "twice"],
)
def test_any_other_edit_of_that_line_is_a_persons(migrated: Path, old: str, new: str) -> None:
    text = (migrated / "server.py").read_text()
    assert text.count(old) == 1
    (migrated / "server.py").write_text(text.replace(old, new))
    before = tree(migrated)
    ran = pdmigrate("revert", migrated)
    assert ran.status == 1
    assert "PD607" in ran.stderr
    assert tree(migrated) == before


FILE = "tool_descriptions/find_note.json"


def edit(root: Path, **changes: str) -> None:
    content = json.loads((root / FILE).read_text(encoding="utf-8"))
    (root / FILE).write_text(json.dumps({**content, **changes}, indent=2) + "\n", encoding="utf-8")


@pytest.mark.parametrize("apply_between", [False, True], ids=["at once", "after another apply"])
def test_a_definition_that_was_edited_in_its_file_is_kept(migrated: Path, apply_between: bool) -> None:
    edit(migrated, description="Mine.")
    if apply_between:
        assert pdmigrate("apply", "--all", migrated, "--write", *VERSIONS).status == 0
    edited = json.loads((migrated / FILE).read_text(encoding="utf-8"))
    ran = pdmigrate("revert", migrated)
    assert ran.status == 0
    assert f"{FILE}:1: PD611" in ran.stderr
    assert json.loads((migrated / FILE).read_text(encoding="utf-8")) == edited
    assert (migrated / "server.py").read_text(encoding="utf-8") == SERVER


def test_a_summary_edited_after_an_extraction_survives(tmp_path: Path) -> None:
    root = project(tmp_path)
    assert pdmigrate("extract", root, *VERSIONS).status == 0
    extracted = tree(root)
    assert pdmigrate("apply", "--all", root, "--write", "--allow-dirty", *VERSIONS).status == 0
    edit(root, summary="Find it.")
    assert pdmigrate("apply", "--all", root, "--write", "--allow-dirty", *VERSIONS).status == 0
    assert 'description="Find it."' in (root / "server.py").read_text(encoding="utf-8")
    assert pdmigrate("revert", root).status == 0
    after = tree(root)
    described = json.loads(after.pop(FILE))
    assert (described["summary"], described["owner"]) == ("Find it.", "code")
    del extracted[FILE]
    assert after == extracted
