"""A project as an earlier version left it, whose generated summaries were a sentence and a list of keywords."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from pdmigrate.record.lock import LOCK_PATH
from tests.check.earlier import CASES, committed, module
from tests.support.command_line import pdmigrate
from tests.support.repositories import commit

MOVED = ("describe_bucket", "describe_queue", "describe_table", "describe_topic")
SENTENCES = {
    "describe_bucket": "Describe one resource. Keeps objects with lifecycle and versioning.",
    "describe_queue": "Describe one resource. Messages wait here for a visibility timeout.",
    "describe_stream": "Describe one resource. Shards of records in order of arrival.",
    "describe_table": "Describe one resource. Rows with partition keys and indexes.",
    "describe_topic": "Tell all about a topic.",
}
"""That of ``describe_topic`` is a person's; source does not settle what ``describe_region`` says."""


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    made = {"progressive_disclosure.py": module("resources", MOVED[0], MOVED)}
    return committed(CASES / "keywords", tmp_path / "project", made)


def summaries(root: Path) -> dict[str, str]:
    files = [json.loads(path.read_bytes()) for path in sorted((root / "tool_descriptions").iterdir())]
    return {file["name"]: file["summary"] for file in files if "summary" in file}


def stubs(root: Path) -> dict[str, str]:
    """The descriptions that the code spells, by tool."""
    calls = [node for node in ast.walk(ast.parse((root / "server.py").read_text())) if isinstance(node, ast.Call)]
    spelled = [{k.arg: k.value.value for k in call.keywords if isinstance(k.value, ast.Constant)} for call in calls]
    return {str(one["name"]): str(one.get("description")) for one in spelled if "name" in one}


def test_generated_summaries_follow_and_a_persons_stays(stored: Path) -> None:
    assert "Keywords" in summaries(stored)["describe_bucket"]
    assert summaries(stored)["describe_region"] == "describe region"
    checked = pdmigrate("check", stored)
    assert checked.status == 1
    assert 'the summary of "describe_bucket" is generated' in checked.stdout
    ran = pdmigrate("sync", stored)
    assert ran.status == 0, ran.stdout + ran.stderr
    assert summaries(stored) == SENTENCES
    moved = {name: text for name, text in SENTENCES.items() if name != "describe_stream"}
    assert {name: text for name, text in stubs(stored).items() if name in moved} == moved
    assert pdmigrate("check", stored).status == 0


def test_without_a_lock_every_summary_is_taken_for_a_persons(stored: Path) -> None:
    before = summaries(stored)
    lock = json.loads((stored / LOCK_PATH).read_bytes())
    for entry in lock["descriptions"].values():
        entry["generated"] = "0" * 16
    (stored / LOCK_PATH).write_text(json.dumps(lock))
    pdmigrate("sync", stored)
    assert summaries(stored) == before


def test_the_migration_is_still_reverted(stored: Path) -> None:
    assert pdmigrate("sync", stored).status == 0
    commit(stored, "sentences")
    ran = pdmigrate("revert", stored)
    assert ran.status == 0, ran.stderr
    assert "Keeps objects with lifecycle" in stubs(stored)["describe_bucket"]
    left = [path.name for path in (stored / "tool_descriptions").iterdir()]
    assert left == ["describe_topic.json"], "it holds a person's summary"
