"""docs/troubleshooting.md: every symptom leads to a finding, a line of the log, an answer or a switch that exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pdmigrate.cli.app import app
from pdmigrate.findings import CODES
from pdmigrate.runtime.render import ModuleSpec, render_module

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
ROWS = [row.split(" | ") for row in re.findall(r"^\| (?!symptom \|)(.+) \|$", PAGE, re.M)]
MODULE = "".join(render_module(ModuleSpec(adapter, moved=True, receipt=True)) for adapter in ("mcp1", "mcp2"))
PLAIN = " ".join(re.sub(r'"\s*\n\s*f?"', "", MODULE).split())
LEADS = re.compile(r"PD\d{3}|log `|answer `|\.md|`pdmigrate |`\w+=|the tool `")


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_every_symptom_leads_somewhere_that_exists(row: list[str]) -> None:
    symptom, look, way_out = row
    assert symptom
    assert way_out
    assert LEADS.search(look), look
    assert set(re.findall(r"PD\d{3}", f"{look} {way_out}")) <= set(CODES)
    for said in re.findall(r"(?:log|answer) `([^`]+)`", look):
        assert re.sub(r"session [0-9a-f]+: ", "", said) in PLAIN, said
    for page, anchor in re.findall(r"\]\(([\w/.-]+\.md)(?:#([\w-]+))?\)", f"{look} {way_out}"):
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        assert not anchor or anchor in re.sub(r"[^\w\n-]+", "-", text.lower())


def test_every_option_and_command_that_is_named_exists() -> None:
    help_pages = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    for option in re.findall(r"(--[a-z-]+)", PAGE):
        assert option in help_pages, option
    known = {command.name or "" for command in app.registered_commands}
    assert set(re.findall(r"`pdmigrate (\w+)", PAGE)) <= known | set(
        re.findall(r"^\$ pdmigrate (\w+)", help_pages, re.M)
    )
