"""The agent of ``examples/`` with its scripted model, against a migrated server over stdio."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pdmigrate.agent import Listing, system_prompt
from tests.runtime.nurseries import planted
from tests.runtime.samples import SAMPLES
from tests.support.environments import ROOT

SAMPLE = SAMPLES["mcp1_lowlevel"]
TASK = ("search", "the", "catalogue", "for", "copies", "by", "words", "of", "title:", "tidal")
FETCH = '> read_resource({"uri": "resource:///tool_descriptions?tools=find_copies"})'
CALL = '> find_copies({"words": "tidal"})'


def conversation(server: Path, habit: str) -> list[str]:
    """What the example prints."""
    python = planted(SAMPLE.pins)
    command = [*python, str(ROOT / "examples" / "agent_loop.py"), "--habit", habit, *TASK, "--", *python, str(server)]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return SAMPLE.migrated(tmp_path_factory.mktemp("agent") / "library") / "server.py"


@pytest.mark.parametrize(
    ("habit", "before", "code"),
    [
        ("good", None, ""),
        ("fetches-everything", '> read_resource({"uri": "resource:///tool_descriptions"})', "MISSING_TOOL_SELECTION"),
        ("skips-the-fetch", "> find_copies({})", "TOOL_DESCRIPTION_REQUIRED"),
    ],
)
def test_a_model_picks_fetches_and_calls_whatever_it_tries_first(
    migrated: Path, habit: str, before: str | None, code: str
) -> None:
    lines = conversation(migrated, habit)
    steps = [line for line in lines if line.startswith(">")]
    fetches = [] if code == "TOOL_DESCRIPTION_REQUIRED" else [FETCH]  # that answer brings the description
    assert steps == [*([before] if before else []), *fetches, CALL]
    refusals = [line for line in lines if "TOOL_DESCRIPTION_REQUIRED" in line or "MISSING_TOOL_SELECTION" in line]
    assert len(refusals) == (1 if before else 0)
    assert all(code in line for line in refusals)
    assert any(line.startswith("= 30001") for line in lines)


def test_a_server_that_is_not_migrated_is_called_at_once() -> None:
    lines = conversation(SAMPLE.source / "server.py", "good")
    assert lines[0] == "> find_copies({})"


def test_the_prompt_in_the_documentation_is_the_one_that_is_made() -> None:
    tools = [
        {"name": "find_notes", "description": "Find notes by the words in them."},
        {"name": "drop_note", "description": "Remove a note."},
        {"name": "notes_describe_tools", "description": "Returns the full descriptions of tools of this server."},
    ]
    prompt = system_prompt([Listing("notes", tools, [{"uri": "resource:///tool_descriptions"}])])
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    assert f"```text\n{prompt}\n```" in page
