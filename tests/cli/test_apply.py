"""``pdmigrate apply`` from end to end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.projects import SERVER, UNRELATED, project
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import tree
from tests.support.repositories import git


def test_a_preview_a_check_and_a_run_say_the_same_changes_and_a_second_run_makes_none(tmp_path: Path) -> None:
    root = project(tmp_path)
    before = tree(root)
    ran = pdmigrate("apply", "--all", root, *VERSIONS)
    assert ran.status == 0
    assert tree(root) == before
    assert ran.stdout.startswith("diff --git a/")
    git(root, "apply", "-", given=ran.stdout.encode())
    patched = tree(root)
    assert {"server.py", "progressive_disclosure.py", ".pdmigrate/lock.json"} <= patched.keys()
    git(root, "clean", "--quiet", "-d", "--force", "-x")
    git(root, "checkout", "--quiet", "--", ".")
    assert tree(root) == before
    checked = pdmigrate("apply", "--all", root, "--check", "--write", *VERSIONS)
    assert (checked.status, "diff --git" in checked.stdout, tree(root)) == (1, False, before)
    ran = pdmigrate("apply", "--all", root, "--write", *VERSIONS)
    assert (ran.status, tree(root)) == (0, patched)
    assert "`pdmigrate revert` takes the migration back" in ran.stderr
    assert all("change  server.py" in each.stdout for each in (checked, ran))
    again = pdmigrate("apply", "--all", root, "--write", *VERSIONS)
    assert (again.status, again.stdout, tree(root)) == (0, "", patched)
    assert "nothing to do: 2 tools found, and the project is migrated already" in again.stderr
    assert pdmigrate("apply", "--all", root, "--check", *VERSIONS).status == 0


def test_every_tool_is_accounted_for_beside_the_patch(tmp_path: Path) -> None:
    said = pdmigrate("apply", "--all", project(tmp_path), *VERSIONS).stderr
    assert "  edit_note          ? tokens  shortened when listed (source does not settle description)\n" in said
    for part in ("notes\n  find_note  ", "found 2 = moved ", "tokens in the listing: ", "o200k", "stdio: all eight"):
        assert part in said
    assert "may list more tools" not in said
    assert said.endswith("next: the same command with --write carries it out\n")


def test_a_server_whose_tools_are_known_only_when_it_runs_is_migrated_and_then_left(tmp_path: Path) -> None:
    head = SERVER[: SERVER.index("    tools = [")].replace("import os\n", "from plugins import load_plugins\n")
    root = project(tmp_path, server=f"{head}    return load_plugins()\n")
    shown = pdmigrate("apply", "--all", root, *VERSIONS)
    assert shown.status == 1
    assert shown.stderr.endswith(
        "\nnext: if the reason above is a fault in the code, correct it; if not, ask the running "
        "server with --live CMD\n"
    )
    ran = pdmigrate("apply", "--all", root, "--write", *VERSIONS)
    assert ran.status == 0
    assert "found 0 = moved 0 " in ran.stderr
    assert "\nnotes may list more tools than source shows (" in ran.stderr
    assert "change  server.py" in ran.stdout
    again = pdmigrate("apply", "--all", root, *VERSIONS)
    assert (again.status, again.stdout) == (0, "")
    assert "nothing to do: the tools of the server that was found are known only when it runs\n" in again.stderr


def test_uncommitted_changes_elsewhere_and_what_extract_has_just_written_are_in_nobodys_way(tmp_path: Path) -> None:
    root = project(tmp_path, server=SERVER, script=UNRELATED)
    (root / "script.py").write_text("print('mine')\n", encoding="utf-8")
    assert pdmigrate("extract", root, *VERSIONS).status == 0
    assert pdmigrate("apply", "--all", root, "--write", *VERSIONS).status == 0


def test_errors_are_to_be_settled_first(tmp_path: Path) -> None:
    root = project(tmp_path, server=SERVER.replace('"integer"', '"intger"'))
    shown = pdmigrate("apply", "--all", root, *VERSIONS)
    assert shown.status == 1
    assert " PD405 error: " in shown.stderr
    assert shown.stderr.endswith("next: settle the errors above; the same command with --write carries out the rest\n")


@pytest.mark.parametrize("option", ["--select", "--exclude"])
def test_a_pattern_that_matches_nothing_names_the_nearest_tool(tmp_path: Path, option: str) -> None:
    root = project(tmp_path)
    ran = pdmigrate("apply", "--all", root, option, "find_nte", option, "edit_*", "--write")
    assert (ran.status, ran.stdout) == (2, "")
    assert ran.stderr == f"error: {option} 'find_nte' matches no tool\nhint: did you mean 'find_note'?\n"
    ran = pdmigrate("apply", "--all", root, option, "zzz")
    assert ran.stderr.endswith("hint: the tools are edit_note, find_note\n")


def test_a_selection_of_nothing_leaves_nothing_to_do(tmp_path: Path) -> None:
    ran = pdmigrate("apply", "--all", project(tmp_path), "--exclude", "*", *VERSIONS)
    assert (ran.status, ran.stdout) == (0, "")
    assert "nothing to do: 2 tools found, and none is migrated for the reasons given above\n" in ran.stderr


def test_the_plan_as_json_is_alone_on_standard_output(tmp_path: Path) -> None:
    root = project(tmp_path)
    ran = pdmigrate("apply", "--all", root, "--format", "json", *VERSIONS)
    assert (ran.status, ran.stderr) == (0, "")
    value = json.loads(ran.stdout)
    assert value["written"] is False
    assert value["found"] == len(value["tools"]) == 2
    assert value["found"] == value["moved"] + value["stubbed"] + value["skipped"] + value["failed"]
    assert "server.py" in [change["path"] for change in value["changes"]]
    written = json.loads(pdmigrate("apply", "--all", root, "--format", "json", "--write", *VERSIONS).stdout)
    assert written["written"] is True
    assert [change["path"] for change in written["changes"]] == [change["path"] for change in value["changes"]]


def test_the_patch_survives_a_pipe_of_a_process_with_another_locale(tmp_path: Path) -> None:
    root = project(tmp_path, server=SERVER.replace("Find notes", "Find notes – äöü 中文").replace("\n", "\r\n"))
    done = subprocess.run(
        [sys.executable, "-m", "pdmigrate", "apply", str(root), *VERSIONS],
        capture_output=True,
        timeout=60,
        check=True,
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
    )
    assert "中文".encode() in done.stdout
    subprocess.run(["git", "apply", "--check", "-"], cwd=root, input=done.stdout, timeout=60, check=True)


def test_a_definition_that_is_written_in_code_again_moves_again(migrated: Path) -> None:
    file, server = migrated / "tool_descriptions" / "find_note.json", migrated / "server.py"
    file.unlink()
    enabled = SERVER.replace('server = Server("notes")', 'server = Server("notes")\nenable(server)')
    server.write_text("from progressive_disclosure import enable\n" + enabled, encoding="utf-8")
    assert pdmigrate("apply", "--all", migrated, "--write", "--allow-dirty", *VERSIONS).status == 0
    assert json.loads(file.read_text(encoding="utf-8"))["description"].endswith("each with its id.")
    assert "the newest first" not in server.read_text(encoding="utf-8")
