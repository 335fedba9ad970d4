"""A requirement that lets a newer major of the SDK in is named: the migrated server would not start on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.migrate.plan.build import plan_migration
from pdmigrate.project.loading import load_project
from pdmigrate.settings import Settings
from tests.cli.projects import SERVER
from tests.support.files import write

CASES = {
    "open above": ('dependencies = ["mcp>=1.6"]', {}, True),
    "bounded": ('dependencies = ["mcp>=1.6,<2"]', {}, False),
    "pinned": ('dependencies = ["mcp==1.30.0"]', {}, False),
    "no requirement at all": ("", {}, True),
    "a version that is given": ("", {"mcp": "1.30.0"}, False),
}


@pytest.mark.parametrize(("requirement", "given", "named"), CASES.values(), ids=CASES)
def test_an_open_requirement_is_named(tmp_path: Path, requirement: str, given: dict[str, str], named: bool) -> None:
    write(tmp_path, {"server.py": SERVER, "pyproject.toml": f'[project]\nname = "x"\nversion = "1"\n{requirement}\n'})
    settings = Settings(sdk=given)
    notes = plan_migration(load_project(tmp_path, ".", settings), settings).notes
    assert any("mcp<2" in note for note in notes) is named
