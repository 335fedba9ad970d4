"""Trees that an earlier version migrated: `sync` brings them along, and nothing in them is lost.

``tests/cases/earlier`` holds three small servers, each as it was and as the version before this one left it, with words
that a person added since.  That version moved output schemas into the description files, listed none, and wrote stubs
of another form.
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.understand.inventory.extract import extract
from tests.check.earlier import TREES, committed, module
from tests.runtime.samples import among_samples
from tests.support.command_line import pdmigrate
from tests.support.environments import MCP1, MCP2
from tests.support.files import tree
from tests.support.repositories import commit

ENVIRONMENTS = {"lowlevel": MCP1, "functions": MCP1, "newer": MCP2}
WORDS = {
    "lowlevel": ("find_crates", {"summary", "examples"}),
    "functions": ("find_room", {"usage_guidance"}),
    "newer": ("lend_book", {"error_guidance"}),
}


MODULES: dict[str, dict[str, str]] = {
    "lowlevel": {},
    "functions": {"progressive_disclosure.py": module("hotel", "find_room")},
    "newer": {"progressive_disclosure.py": module("reading", "find_book", ("find_book", "lend_book"))},
}


@pytest.fixture(params=list(ENVIRONMENTS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def project(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = committed(TREES / name / "migrated", tmp_path / name, MODULES[name])
    monkeypatch.chdir(root)
    return root


def described(root: Path, tool: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((root / "tool_descriptions" / f"{tool}.json").read_text(encoding="utf-8"))
    return loaded


def originals(name: str) -> dict[str, bytes]:
    return tree(TREES / name / "original")


def test_sync_brings_the_project_along_once(project: Path) -> None:
    assert pdmigrate("check").status == 1
    ran = pdmigrate("sync")
    assert ran.status == 0, ran.stdout + ran.stderr
    after = tree(project)
    clean = pdmigrate("check")
    assert clean.status == 0, clean.stdout + clean.stderr
    assert pdmigrate("sync").status == 0
    assert pdmigrate("apply", "--all", "--write", "--allow-dirty").status == 0
    assert tree(project) == after


def test_the_words_of_a_person_and_the_definitions_stay(name: str, project: Path) -> None:
    tools = [path.stem for path in (project / "tool_descriptions").iterdir()]
    before = {tool: described(project, tool) for tool in tools}
    assert pdmigrate("sync").status == 0
    tool, words = WORDS[name]
    for field in words:
        assert described(project, tool)[field] == before[tool][field]
    for tool in tools:
        for field in ("description", "inputSchema", "outputSchema", "annotations"):
            assert described(project, tool).get(field) == before[tool].get(field), (tool, field)


def test_output_schemas_are_back_in_the_code(name: str, project: Path) -> None:
    def output_schemas(root: Path) -> dict[str, Any]:
        (server,) = extract(root).servers
        return {str(tool.name): tool.definition.get("outputSchema") for tool in server.tools}

    assert pdmigrate("sync").status == 0
    assert output_schemas(project) == output_schemas(TREES / name / "original")
    assert any(output_schemas(project).values())


def test_a_revert_gives_the_bytes_of_before(name: str, project: Path) -> None:
    assert pdmigrate("sync").status == 0
    commit(project)
    assert pdmigrate("revert").status == 0
    check_originals(name, project)


def test_a_revert_without_sync_gives_the_bytes_of_before(name: str, project: Path) -> None:
    assert pdmigrate("revert").status == 0
    check_originals(name, project)


def check_originals(name: str, project: Path) -> None:
    """The original files, and beside them only the file that holds a person's words."""
    tool, _ = WORDS[name]
    left = tree(project)
    assert {path: left.pop(path, b"") for path in originals(name)} == originals(name)
    assert [path for path in left if not path.startswith(".pdmigrate/")] == [f"tool_descriptions/{tool}.json"]


@pytest.mark.slow
def test_the_server_passes_against_the_one_of_before(name: str, project: Path) -> None:
    assert pdmigrate("sync").status == 0
    python = shlex.join(among_samples(ENVIRONMENTS[name]))
    before = f"{python} {TREES / name / 'original' / 'server.py'}"
    ran = pdmigrate("verify", "--command", f"{python} {project / 'server.py'}", "--before", before)
    assert ran.status == 0, ran.stdout + ran.stderr
