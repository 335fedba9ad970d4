"""The drawing in README shows what the commands print today, to everybody who looks at it.

``PDMIGRATE_UPDATE_DOCS=1`` draws it anew instead of comparing.
"""

from __future__ import annotations

import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.tutorial.console import Command
from tests.tutorial.recording import COLUMNS, COMMANDS, DRAWING, draw, prepare, record

SVG = "{http://www.w3.org/2000/svg}"
README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


def shown(drawing: str) -> list[str]:
    return ["".join(text.itertext()) for text in ElementTree.fromstring(drawing).iter(f"{SVG}text")]


@pytest.mark.timeout(300)
def test_the_drawing_is_what_the_commands_print(tmp_path: Path) -> None:
    session = record(prepare(tmp_path))
    if os.environ.get("PDMIGRATE_UPDATE_DOCS"):
        DRAWING.write_text(draw(session), encoding="utf-8")
        return
    drawing = DRAWING.read_text(encoding="utf-8")
    assert drawing == draw(session), "PDMIGRATE_UPDATE_DOCS=1 draws it anew"
    lines = shown(drawing)
    assert [line[2:] for line in lines if line.startswith("$ ")] == [*COMMANDS]
    for said in (
        "verdict: migrate: a session that uses 3 of 8 tools",
        "costs more from",
        "found 8 = moved 0",
        "in agreement",
    ):
        assert any(said in line for line in lines), said


def test_the_drawing_fits_and_needs_nothing_but_itself() -> None:
    drawing = DRAWING.read_text(encoding="utf-8")
    assert max(map(len, shown(drawing))) <= COLUMNS
    root = ElementTree.fromstring(drawing)
    assert root.get("role") == "img"
    for label in (root.get("aria-labelledby") or "").split():
        assert [one.text for one in root.iter() if one.get("id") == label and one.text]
    assert {one.tag.removeprefix(SVG) for one in root.iter()} == {
        "svg", "title", "desc", "style", "rect", "g", "text", "tspan",
    }  # fmt: skip
    assert drawing.count("http") == 1  # the name of the format
    assert "prefers-reduced-motion" in drawing


def test_readme_gives_a_text_to_readers_who_do_not_see_the_drawing() -> None:
    (line,) = (line for line in README.splitlines() if DRAWING.name in line)
    assert line.startswith("![")
    assert len(line.partition("]")[0]) > 60
    assert README.index(DRAWING.name) < README.index("## What changes")


def test_colours_and_signs_of_markup_survive() -> None:
    drawing = draw([Command("a <b> && c", "\x1b[32mgood\x1b[0m & \x1b[1;31mx\nplain \x1b[31mbad\n"), Command("d", "")])
    assert shown(drawing) == ["$ a <b> && c", "good & x", "plain bad", "$ d"]
    assert '<tspan class="green">good</tspan> &amp; x<' in drawing
    assert '<tspan class="red">bad</tspan><' in drawing
