"""Options whose values need reading, and refusals that come before any work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pdmigrate.cli.options import versions
from pdmigrate.errors import UsageError
from tests.support.command_line import pdmigrate


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, None),
        ([], None),
        (["mcp==1.30.0"], {"mcp": "1.30.0"}),
        ([" FastMCP == 4.1.2 ", "pydantic_core==2"], {"fastmcp": "4.1.2", "pydantic-core": "2"}),
        (["mcp==1", "mcp==2"], {"mcp": "2"}),
    ],
)
def test_versions_are_read(given: list[str] | None, expected: dict[str, str] | None) -> None:
    assert versions(given) == expected


@pytest.mark.parametrize("text", ["mcp", "mcp=1.30.0", "==1.30.0", "mcp==", "mcp>=1", ""])
def test_a_version_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=re.escape(f"--sdk {text!r} names no version")):
        versions([text])


def test_settings_that_make_no_sense_stop_every_command(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.pdmigrate]\nmoves = 'all'\n", encoding="utf-8")
    for command in (["extract"], ["apply"]):
        ran = pdmigrate(*command, tmp_path)
        assert (ran.status, ran.stdout) == (2, "")
        assert ran.stderr == (
            "error[PD801]: pyproject.toml: [tool.pdmigrate] has no setting 'moves'\n"
            "hint: did you mean 'move'?\nhint: pdmigrate explain PD801\n"
        )
