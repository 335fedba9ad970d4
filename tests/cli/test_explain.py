"""``pdmigrate explain CODE`` on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import Ran, pdmigrate

PAGES = Path(__file__).parents[2] / "docs" / "findings"


@pytest.mark.parametrize("word", ["PD101", "pd101"])
def test_a_code_prints_its_page(word: str) -> None:
    assert pdmigrate("explain", word) == Ran(0, (PAGES / "PD101.md").read_text(encoding="utf-8"), "")
