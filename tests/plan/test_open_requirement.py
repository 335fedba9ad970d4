"""A requirement that lets a newer major of the SDK in is named: the migrated server would not start on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.migrate.plan.build import plan_migration
from pdmigrate.model import Plan
from pdmigrate.project.loading import load_project
from pdmigrate.settings import Settings
from tests.cli.projects import SERVER
from tests.support.files import write


def planned(root: Path, settings: Settings) -> Plan:
    return plan_migration(load_project(root, ".", settings), settings)


@pytest.mark.parametrize(
    ("requirement", "named"),
    [
        pytest.param('dependencies = ["mcp>=1.6"]', True, id="open above"),
        pytest.param('dependencies = ["mcp>=1.6,<2"]', False, id="bounded"),
        pytest.param('dependencies = ["mcp==1.30.0"]', False, id="pinned"),
        pytest.param("", True, id="no requirement at all"),
    ],
)
def test_an_open_requirement_is_named(tmp_path: Path, requirement: str, named: bool) -> None:
    write(tmp_path, {"server.py": SERVER, "pyproject.toml": f'[project]\nname = "x"\nversion = "1"\n{requirement}\n'})
    notes = planned(tmp_path, Settings()).notes
    assert any("mcp<2" in note for note in notes) is named


def test_a_given_version_is_taken_at_its_word(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(SERVER, encoding="utf-8")
    notes = planned(tmp_path, Settings(sdk={"mcp": "1.30.0"})).notes
    assert not any("mcp<2" in note for note in notes)
