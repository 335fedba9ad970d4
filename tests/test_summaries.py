"""The first sentence of a description, where it ends, and what it is when there is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdmigrate.descriptions import DescriptionFile, check
from pdmigrate.plan.state import description_schema
from pdmigrate.summaries import summarise

CASES = [
    # where a sentence ends
    ("Find books. Slow for long queries.", "Find books."),
    ("Find books (e.g. by title). Slow.", "Find books (e.g. by title)."),
    ("Search all shelves (incl. Fiction). Slow.", "Search all shelves (incl. Fiction)."),
    ("Wait approx. 30 seconds. Slow.", "Wait approx. 30 seconds."),
    ("Rincl. Slow.", "Rincl."),
    ("Reads mcp.json v1.2 files. Then stops.", "Reads mcp.json v1.2 files."),
    ("Is it there? Asks the shelf.", "Is it there?"),
    ('Say "stop." And go.', 'Say "stop."'),
    ("查看图书。很慢。", "查看图书。"),
    ("Find books", "Find books"),
    # one line
    ("  Find\n   books.  ", "Find books."),
    ("Find books\nby title.\nSlow.", "Find books by title."),
    ("Find books\n\nby title.", "Find books"),
    ("Find books\nArgs:\n  title: the title", "Find books"),
    ("Find books\n- by title\n- by author", "Find books"),
    ("Find books\n1. by title", "Find books"),
    # a list or a heading from the start
    ("- Find books.\n- Not for journals.", "Find books."),
    ("* Find books", "Find books"),
    ("• Find books\n• Slow", "Find books"),
    ("1. Find books\n2. Lend them", "Find books"),
    ("2) Find books", "Find books"),
    ("# Find books\n\nBy title.", "Find books"),
    ("### Find books", "Find books"),
    ("- - Find books", "Find books"),
    # no mark
    ("-5 degrees or less.", "-5 degrees or less."),
    ("**Find** books.", "**Find** books."),
    ("#1 tool for books.", "#1 tool for books."),
    ("3.5 inch disks only.", "3.5 inch disks only."),
    ("2024 books. Old.", "2024 books."),
    # nothing to say
    (None, "find books"),
    ("", "find books"),
    (" \n ", "find books"),
    ("- \n", "find books"),
    ("---", "find books"),
]


@pytest.mark.parametrize(("description", "summary"), CASES)
def test_summaries(description: str | None, summary: str) -> None:
    assert summarise("find_books", description) == summary


def test_a_long_sentence_is_cut_between_words() -> None:
    cut = summarise("find", "word " * 100, 50)
    assert cut == "word word word word word word word word word…"
    assert summarise("find", "x" * 100, 50) == "x" * 49 + "…"


@given(st.text(max_size=400), st.integers(min_value=20, max_value=300))
def test_a_summary_is_one_bounded_line_that_says_something(description: str, limit: int) -> None:
    summary = summarise("find_books", description, limit)
    assert summary == summary.strip() != ""
    assert len(summary) <= limit
    assert "\n" not in summary


@pytest.mark.parametrize("description", [description for description, _ in CASES if description])
def test_a_summary_of_ours_is_not_one_that_we_warn_of(description: str) -> None:
    content = {"name": "find_books", "summary": summarise("find_books", description), "description": description}
    found = check(DescriptionFile("find_books.json", content), description_schema())
    assert "PD409" not in [one.code for one in found]
