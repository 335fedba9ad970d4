"""Servers made by the published guide, as it says and otherwise: taken over, proven over the wire, and taken back."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.adopting.variants import ADOPTED, REFUSED, SERVER, Variant
from tests.bad_input.test_obstacles import GUIDE
from tests.layouts.living import interpreter, migrated
from tests.runtime.samples import among_samples
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.environments import MCP1
from tests.support.files import tree, write
from tests.support.repositories import committed


@pytest.mark.parametrize("name", ADOPTED)
def test_is_taken_over_and_back(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    variant = ADOPTED[name]
    root = committed(write(tmp_path / "notes", variant.files))
    before = tree(root)
    ran = migrated(root)
    assert "PD541 note: " in ran.stderr
    assert "found 2 = moved 2 + stubbed 0 + skipped 0 + failed 0" in ran.stderr
    check_nothing_lost(root, variant)
    assert pdmigrate("check", root).status == 0
    assert "nothing to do" in pdmigrate("apply", root, *VERSIONS).stderr

    monkeypatch.chdir(root)
    command = shlex.join(among_samples(MCP1, "-B", *variant.start))
    verified = pdmigrate("verify", "--command", command, "--tool", "tool_one", "--arguments", '{"param1": "x"}')
    assert "8/8 criteria met over stdio" in verified.stdout, verified.stdout
    assert verified.status == 0, verified.stdout

    assert pdmigrate("revert", root).status == 0
    assert tree(root) == before


def test_the_guide_written_in_another_way_is_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = committed(write(tmp_path / "notes", {**GUIDE, "pyproject.toml": ""}))
    before = tree(root)
    assert "found 2 = moved 2" in migrated(root).stderr
    monkeypatch.chdir(root)
    assert "8/8 criteria met" in pdmigrate("verify", "--command", f"{interpreter()} -B server.py").stdout
    assert pdmigrate("revert", root).status == 0
    assert tree(root) == before


def test_what_stands_on_top_of_an_import_stays(tmp_path: Path) -> None:
    files = ADOPTED["as the guide says"].files
    _, rest = files["server.py"].split("import asyncio\n", 1)
    head = "#!/usr/bin/env python3\n# (c) the authors\n"
    first = "from urllib.parse import urlparse, parse_qs\n"
    files["server.py"] = f"{head}{first}import asyncio\n{rest.replace(first, '')}"
    root = committed(write(tmp_path / "notes", files))
    migrated(root)
    assert (root / "server.py").read_text(encoding="utf-8").startswith(f"{head}import asyncio\n")


def check_nothing_lost(root: Path, variant: Variant) -> None:
    """Every field of every description is still there, and nothing in the code speaks of disclosure by hand."""
    for path, text in variant.files.items():
        if path.endswith(".json"):
            now = json.loads((root / path).read_text())
            assert json.loads(text.removeprefix("\ufeff")).items() <= now.items()
            assert now["summary"] == "Brief description of what this tool does - sufficient for selection"
    for path in root.rglob("*.py"):
        if path.name != "progressive_disclosure.py":
            assert "TOOL_DESCRIPTION_REQUIRED" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", REFUSED)
def test_is_left_alone_with_the_part_named(tmp_path: Path, name: str) -> None:
    variant = REFUSED[name]
    root = committed(write(tmp_path / "notes", variant.files))
    before = tree(root)
    ran = pdmigrate("apply", root, "--write", *VERSIONS)
    assert f"PD532 error: the server made at {SERVER}:" in ran.stderr
    assert variant.refused in ran.stderr
    assert tree(root) == before


def test_an_extraction_leaves_the_server_and_says_what_takes_it_over(tmp_path: Path) -> None:
    root = committed(write(tmp_path / "notes", ADOPTED["as the guide says"].files))
    before = tree(root)
    ran = pdmigrate("extract", root, *VERSIONS)
    assert "PD532 error: tool_descriptions/tool_one.json was not made by pdmigrate" in ran.stderr
    assert "hint: `pdmigrate apply` takes the server over, with its files\n" in ran.stderr
    assert tree(root) == before


def test_what_was_listed_by_hand_is_what_was_sent_before(tmp_path: Path) -> None:
    root = committed(write(tmp_path / "notes", ADOPTED["as the guide says"].files))
    ran = pdmigrate("apply", root, "--format", "json", *VERSIONS)
    one, two = (tool["tokens"] for tool in json.loads(ran.stdout)["tools"])
    assert one["before"] == two["before"] < two["after"] < one["after"]


def test_a_selection_cannot_leave_tools_behind(tmp_path: Path) -> None:
    root = committed(write(tmp_path / "notes", ADOPTED["as the guide says"].files))
    before = tree(root)
    ran = pdmigrate("apply", root, "--write", "--select", "tool_one", *VERSIONS)
    assert 'can only be taken over for all tools, and "tool_two" is skipped (not selected)' in ran.stderr
    assert tree(root) == before
