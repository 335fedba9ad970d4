"""Where a sentence of a description ends, and which is its first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdmigrate.describe.summaries import PART, sentences, summarise

CASES = [
    # where a sentence ends
    *(
        (f"{sentence} Slow.", sentence)
        for sentence in (
            *(
                "Search all shelves (incl. Fiction).",
                "Wait approx. 30 seconds.",
                "Compare books vs. journals.",
                "Rincl.",
            ),
            *("Find U.S. Government books.", "Find books (title, author, etc.) by words.", "Wait... then go on."),
            *("Rincl.", "Find books.)", "**Find books.**"),
        )
    ),
    ("Is it there? Asks the shelf.", "Is it there?"),
    ('Say "stop." And go.', 'Say "stop."'),
    ("查看图书。很慢。", "查看图书。"),
    # one line
    ("Find books\nArgs:\n  title: the title", "Find books"),
    ("Find books\n**Never** lend them", "Find books"),
    ("Find books\n```\nfind()\n```", "Find books"),
    # a list or a heading from the start
    ("* Find books", "Find books"),
    ("• Find books\n• Slow", "Find books"),
    ("1. Find books\n2. Lend them", "Find books"),
    ("# Find books\n\nBy title.", "Find books"),
]


@pytest.mark.parametrize(("description", "first"), CASES)
def test_the_first_sentence(description: str, first: str) -> None:
    assert summarise(description) == first


def test_all_sentences() -> None:
    text = "Find. See\nalso find_all (e.g. by\nauthor).\n\n1. Pick a shelf\n2. Look.\n\nArgs:\n    title: the title"
    found = [sentence for part in PART.split(text) for sentence in sentences(part)]
    assert found == [
        "Find.", "See also find_all (e.g. by author).", "Pick a shelf", "Look.", "Args: title: the title",
    ]  # fmt: skip


def test_a_long_sentence_is_cut_between_words() -> None:
    assert summarise("word " * 39 + "word.") == "word " * 39 + "word."
    assert summarise("word " * 41 + "word.") == "word " * 38 + "word…"
    assert summarise("Find books, " * 20 + "done.") == "Find books, " * 16 + "Find…"
    assert summarise("x" * 201) == summarise("x" * 300) == "x" * 199 + "…"
    assert summarise("书" * 300) == "书" * 199 + "…"
    assert summarise("Find" + "x" * 210 + " books") == "Find" + "x" * 195 + "…"


@given(st.text(st.sampled_from("ab .!?\n-*)…'\":。1é書"), max_size=300))
def test_a_sentence_is_one_line_of_its_description(description: str) -> None:
    plain = " ".join(description.split())
    for part in PART.split(description.strip()):
        for sentence in sentences(part):
            assert sentence == sentence.strip() != ""
            assert sentence in plain


@given(st.text(max_size=400))
def test_the_first_sentence_is_bounded(description: str) -> None:
    first = summarise(description)
    assert first is not None
    assert len(first) <= 200
