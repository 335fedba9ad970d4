"""Which Python a server runs on: said where a project leaves no doubt about what depends on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.understand.inventory.extract import extract
from pdmigrate.understand.versions import resolve_python
from tests.support.files import write
from tests.support.sources import decorated
from tests.understand.sources import FAST, VERSIONS, servers_in


def project(requires: str) -> dict[str, str]:
    return {"pyproject.toml": f'[project]\nrequires-python = "{requires}"\n'}


SAID = {
    "a requirement": (project(">=3.13"), "3.13"),
    "one patch release": (project("==3.13.5"), "3.13"),
    "only older ones": (project(">=3.10,<3.13"), "3.12"),
    "poetry": ({"pyproject.toml": '[tool.poetry.dependencies]\npython = "^3.13"\n'}, "3.13"),
    "a pin": ({".python-version": "3.13.0\n"}, "3.13"),
    "a pin within a range": ({**project(">=3.10"), ".python-version": "# ours\ncpython-3.12\n"}, "3.12"),
    "a pin that a requirement forbids": ({**project(">=3.13"), ".python-version": "3.12"}, "3.13"),
    "what a script says for itself": (
        {**project(">=3.10"), "pkg/server.py": '# /// script\n# requires-python = ">=3.13"\n# ///\n'},
        "3.13",
    ),
    "what an earlier run was given": ({".pdmigrate/lock.json": '{"choices": {"sdk": {"python": "3.13"}}}'}, "3.13"),
    "nothing": ({}, ""),
    "a range over both sides": (project(">=3.10,<3.15"), ""),
    "one that is left out": (project("!=3.12.*"), ""),
    "no requirement at all": (project("three"), ""),
    "a wheel that was unpacked": ({"demo-1.dist-info/METADATA": "Requires-Python: >=3.13\n\n"}, ""),
    "an environment, which others may not have": ({".venv/pyvenv.cfg": "version = 3.13.0\n"}, ""),
    "a pin of another folder": ({"other/.python-version": "3.13"}, ""),
}


@pytest.mark.parametrize(("files", "expected"), SAID.values(), ids=SAID)
def test_what_a_project_settles_and_leaves_open(tmp_path: Path, files: dict[str, str], expected: str) -> None:
    write(tmp_path, files)
    assert resolve_python(tmp_path, "pkg/server.py", {}) == expected
    assert resolve_python(tmp_path, "pkg/server.py", {"python": "3.12.4"}) == "3.12.4", "what the user gives wins"


SHOWN = {"sys.version_info >= (3, 11)": "True", "sys.version_info == (3, 11)": "False", "() < (0,)": "True"}


def described(root: Path, shown: str, versions: dict[str, str]) -> object:
    """What a server says that shows something in the description of its tool."""
    source = f"import sys\n{FAST}@mcp.tool(description=str({shown}))\ndef a(n: int) -> str: 'A.'\n"
    (server,) = servers_in(root, {"server.py": source}, versions)
    return server.tools[0].definition.get("description")


@pytest.mark.parametrize(("shown", "text"), [*SHOWN.items(), ("sys.version_info[2]", None)])
def test_a_given_version_settles_two_numbers(tmp_path: Path, shown: str, text: str | None) -> None:
    assert described(tmp_path, shown, VERSIONS) == text


@pytest.mark.parametrize("shown", ["sys.version_info[1]", "sys.version_info >= (3, 12)"])
@pytest.mark.parametrize("files", [{}, project(">=3.10,<3.13"), project(">=3.13")])
def test_versions_that_a_project_admits_settle_nothing(tmp_path: Path, shown: str, files: dict[str, str]) -> None:
    versions = {name: text for name, text in VERSIONS.items() if name != "python"}
    assert described(write(tmp_path, files), shown, versions) is None


SERVER = decorated("demo", {"one(text: str)": "One.\n\n        More.\n    "})


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (project(">=3.13"), "One.\n\nMore.\n"),
        (project(">=3.10,<3.13"), "One.\n\n        More.\n    "),
        (project(">=3.10"), "One.\n\n        More.\n    "),
    ],
)
def test_a_docstring_is_listed_as_that_python_has_it(tmp_path: Path, files: dict[str, str], expected: str) -> None:
    write(tmp_path, {**files, "server.py": SERVER})
    (server,) = extract(tmp_path, sdk={"mcp": "1.30.0"}).servers
    assert server.tools[0].definition["description"] == expected
