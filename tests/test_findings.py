"""The registry of finding codes against the code that uses them, the pages that explain them, and troubleshooting."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from pdmigrate.cli.app import app
from pdmigrate.findings import CODES, finding
from pdmigrate.model import Severity, Site
from pdmigrate.report.explain import code_title
from pdmigrate.runtime.render import ModuleSpec, render_module

ROOT = Path(__file__).parents[1]
PAGES = {page.stem: page for page in (ROOT / "docs" / "findings").glob("PD*.md")}
INDEX = ROOT / "docs" / "findings" / "README.md"
SOURCES = [path for path in sorted((ROOT / "pdmigrate").rglob("*.py")) if path.name != "findings.py"]
SAID = re.compile(r"\bPD\d{3}\b")


def produced() -> set[str]:
    """Every code that stands alone in a string: what is handed to ``finding`` or to an error."""
    nodes = (node for path in SOURCES for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {text for text in texts if SAID.fullmatch(text)}


def test_every_code_in_use_is_registered_and_every_registered_one_in_use() -> None:
    assert produced() == set(CODES)


def test_every_code_named_in_a_text_exists() -> None:
    texts = [*SOURCES, *PAGES.values(), *(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    named = {(path.name, code) for path in texts for code in SAID.findall(path.read_text(encoding="utf-8"))}
    assert {(name, code) for name, code in named if code not in CODES} == set()


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_page_of_its_own_title_that_says_what_to_do(code: str) -> None:
    text = PAGES[code].read_text(encoding="utf-8")
    assert text.startswith(f"# {code}: ")
    assert "what to do" in text.lower()
    assert len(text.splitlines()) < 60


def test_the_index_lists_every_code_with_its_severity_and_title_and_there_is_no_other_page() -> None:
    rows = [f"| [{code}]({code}.md) | {row.severity.value} | {code_title(code)} |" for code, row in CODES.items()]
    assert [line for line in INDEX.read_text(encoding="utf-8").splitlines() if line.startswith("| [PD")] == rows
    assert [*CODES] == sorted(PAGES)


@pytest.mark.parametrize("code", CODES)
def test_a_row_reads_as_part_of_a_message(code: str) -> None:
    for text in (code_title(code), CODES[code].hint):
        assert not text.endswith((".", "!"))
        assert text[0] == text[0].lower() or text.split()[0].isupper()


def test_a_finding_has_the_severity_of_its_code_and_a_hint_of_its_own_when_it_is_given_one() -> None:
    found = finding("PD101", "server.py is not valid Python", site=Site("server.py", 3))
    assert found.severity is Severity.ERROR
    assert found.hint == CODES["PD101"].hint
    assert finding("PD101", "x", hint="look at line 3").hint == "look at line 3"


def test_a_finding_of_a_code_that_nobody_registered_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        finding("PD999", "x")


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
