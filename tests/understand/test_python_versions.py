"""What a program makes of the version of Python: settled by one that is given, and open without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.understand.sources import FAST, VERSIONS, servers_in

SHOWN = {
    "after itself": ("sys.version_info >= (3, 11)", "True"),
    "no tuple of two": ("sys.version_info == (3, 11)", "False"),
    "an empty one": ("() < (0,)", "True"),
}
WITHOUT = {
    "a number": "sys.version_info[1]",
    "a comparison": "sys.version_info >= (3, 12)",
}


def _described(root: Path, shown: str, versions: dict[str, str]) -> object:
    tool = f"import sys\n{FAST}@mcp.tool(description=str({shown}))\ndef a(n: int) -> str:\n    'A.'\n"
    (server,) = servers_in(root, {"server.py": tool}, versions)
    return server.tools[0].definition.get("description")


@pytest.mark.parametrize(("shown", "text"), SHOWN.values(), ids=SHOWN)
def test_a_given_version_settles_two_numbers(tmp_path: Path, shown: str, text: str) -> None:
    assert _described(tmp_path, shown, VERSIONS) == text


def test_the_rest_of_the_version_stays_open(tmp_path: Path) -> None:
    assert _described(tmp_path, "sys.version_info[2]", VERSIONS) is None


@pytest.mark.parametrize("shown", WITHOUT.values(), ids=WITHOUT)
@pytest.mark.parametrize("required", ["", ">=3.10,<3.13", ">=3.13"])
def test_versions_that_a_project_admits_settle_nothing(tmp_path: Path, shown: str, required: str) -> None:
    if required:
        (tmp_path / "pyproject.toml").write_text(f"[project]\nname = 'x'\nrequires-python = '{required}'\n")
    assert _described(tmp_path, shown, {name: text for name, text in VERSIONS.items() if name != "python"}) is None
