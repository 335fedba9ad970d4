"""``pdmigrate explain CODE`` on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import Ran, pdmigrate

PAGES = Path(__file__).parents[2] / "docs" / "findings"


@pytest.mark.parametrize("word", ["PD101", "pd101"])
def test_a_code_prints_its_page(word: str) -> None:
    assert pdmigrate("explain", word) == Ran(0, (PAGES / "PD101.md").read_text(encoding="utf-8"), "")


def test_a_code_that_does_not_exist_names_the_nearest() -> None:
    ran = pdmigrate("explain", "PD1011")
    assert (ran.status, ran.stdout) == (2, "")
    assert ran.stderr == "error: there is no finding PD1011\nhint: did you mean PD101?\n"


def test_a_check_of_verify_is_explained_by_its_clause() -> None:
    assert pdmigrate("explain", "9.6-letter") == Ran(
        0,
        "9.6-letter: only a fetch opens a tool\n"
        "clause 5.1.1 of the specification (should, must with --strict)\n"
        "wanted: authorized by the resource, and by nothing else\n",
        "",
    )
    ran = pdmigrate("explain", "9.6-leter")
    assert (ran.status, ran.stderr) == (2, "error: verify has no check 9.6-leter\nhint: did you mean 9.6-letter?\n")
