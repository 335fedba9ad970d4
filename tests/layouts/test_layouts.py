"""Every layout from end to end: migrated, started as it is started, asked over the wire, taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.live.wire import HttpTarget, connect
from tests.layouts.living import answers_before, check_conversation, check_round_trip, migrated
from tests.layouts.trees import LAYOUTS
from tests.support.environments import MCP1, environment
from tests.support.files import write
from tests.support.running import listening

ALONE = ("a script", "a package run with -m, with modules named like others", "a package run by its console script")
"""One of each way to start a server, and that in which a module could stand in the way of a library."""


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout(name: str, tmp_path: Path) -> None:
    layout = LAYOUTS[name]
    root = write(tmp_path / "project", layout.files)
    check_round_trip(root, layout.starts, alone=name in ALONE)


def test_a_server_with_two_entry_points_is_migrated_for_both(tmp_path: Path) -> None:
    layout = LAYOUTS["two entry points for one server"]
    root = write(tmp_path / "project", layout.files)
    [stdio] = layout.starts
    wrong = answers_before(root, stdio)
    migrated(root, "--http", "enforce")
    program = ["env", f"PYTHONPATH={root}", str(environment(MCP1)), "-m", "notes.http"]
    with listening(program) as port, connect(HttpTarget(f"http://127.0.0.1:{port}/mcp/")) as session:
        check_conversation(session, stdio, wrong)
