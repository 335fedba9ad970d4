"""Sentences, and summaries: those of a description that tell what a tool is for, and from its siblings."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdmigrate.describe.descriptions import DescriptionFile, check
from pdmigrate.describe.summaries import LONGEST, PART, sentences, summaries, summarise
from pdmigrate.live.verify import listing
from pdmigrate.migrate.plan.records import description_schema

SIBLINGS = {"lend_book": "Lend a book.", "find_journals": "Find journals.", "find": "Find anything."}
FIRST = "Find books by title."

CASES = [
    # when to use it
    (f"{FIRST} It is slow. Use this tool when you know the title.", f"{FIRST} Use this tool when you know the title."),
    (f"{FIRST}\n\nUsage: Use when browsing.", f"{FIRST} Use when browsing."),
    (f"{FIRST}\n\nIMPORTANT: Use this instead of a web search.", f"{FIRST} Use this instead of a web search."),
    (f"{FIRST} ⚠️ Only use when the reader asks for it.", f"{FIRST} Only use when the reader asks for it."),
    *(
        (f"{FIRST} {when}", f"{FIRST} {when}")
        for when in (
            *("Useful for exact titles.", "Not for journals.", "Call this before lending."),
            *("Always use it BEFORE lending.", "Use find_journals instead if it is one."),
            "Unlike `find_journals`, this needs no year.",
        )
    ),
    # how to use it is another matter
    (f"{FIRST} Use this token in the header.", FIRST),
    (f"{FIRST} Use this tool when:\n- the title is known", FIRST),
    (f"{FIRST}\n\nArgs:\n    title: the title.  Use it to find.\n\nUse it to browse.", FIRST),
    (f"{FIRST}\n```\nfind()\n\nUse it to browse.", FIRST),
    # a sibling is for the other case
    (
        f"{FIRST} Use it to browse. For journals use find_journals instead.",
        f"{FIRST} For journals use find_journals instead.",
    ),
    (f"{FIRST} For journals, use find_journal instead.", FIRST),
    # room
    (
        f"Find books on the shelves (all of them), in the stacks{' and elsewhere' * 10}. Use it to browse.",
        "Find books on the shelves (all of them)… Use it to browse.",
    ),
]


def summary(description: str) -> str | None:
    return summaries({"find_books": description, **SIBLINGS}).get("find_books")


@pytest.mark.parametrize(("description", "wanted"), CASES)
def test_summaries(description: str, wanted: str) -> None:
    made = summary(description)
    assert made == wanted
    content = {"name": "find_books", "summary": made, "description": description}
    found = check(DescriptionFile("find_books.json", content), description_schema())
    assert "PD409" not in [one.code for one in found], "it is not one that we warn of"
    assert listing.parameter_list(made) is None
    assert listing.example(made) is None


@pytest.mark.parametrize("description", ["", " ", "---", None, 7])
def test_a_description_that_says_nothing_has_no_summary(description: str | int | None) -> None:
    assert summaries({"find_books": description}) == {}


def test_siblings_with_one_first_sentence_are_told_apart_by_the_next_of_their_own() -> None:
    texts = {
        "bucket": "Describe one resource. It is slow. It keeps objects.",
        "queue": "Describe one resource. It is slow.\n\nArgs:\n    name: a name\n\nReturns:\n    The messages in it",
        "topic": "Describe one resource. It is slow.",
    }
    assert summaries(texts) == {
        "bucket": "Describe one resource. It keeps objects.",
        "queue": "Describe one resource. The messages in it",
        "topic": "Describe one resource.",
    }


def test_siblings_that_differ_in_parameters_alone_or_in_nothing_share_their_summary() -> None:
    for kinds in (("bucket", "queue"), ("bucket", "bucket")):
        texts = {str(n): f"Describe one resource.\n\nArgs:\n    name: a {kind}" for n, kind in enumerate(kinds)}
        assert set(summaries(texts).values()) == {"Describe one resource."}


def test_a_sibling_is_told_from_another_whose_name_begins_alike() -> None:
    texts = {"find": "Find. For all, use find_all instead.", "find_all": "Find all. For one, use find instead."}
    assert summaries(texts) == texts


_WORDS = [
    *("Find", "a", "b.", "x_1", "Use it to", "use", "a instead", "for", "(c,", "d)", "\n", "\n\n", "- ", "Args:\n"),
    "书。",
]
_TEXT = st.lists(st.sampled_from(_WORDS), max_size=60).map(" ".join)


@given(st.dictionaries(st.sampled_from(["a", "b", "x_1", "use"]), _TEXT))
def test_a_summary_is_made_of_its_description_alone(texts: dict[str, str]) -> None:
    made = summaries(texts)
    assert made == summaries(dict(reversed(texts.items())))
    for name, text in texts.items():
        assert (name in made) == bool(re.search(r"\w", text.replace("Args:", "Args")))
        said = made.get(name, "")
        assert "\n" not in said
        if said == name:  # nothing but details
            continue
        assert len(said) <= min(LONGEST, len(text))
        assert set(re.findall(r"\w+", said)) <= set(re.findall(r"\w+", text))


ENDS = [
    # where a sentence ends
    *(
        (f"{sentence} Slow.", sentence)
        for sentence in (
            *("Search all shelves (incl. Fiction).", "Wait approx. 30 seconds.", "Compare books vs. journals."),
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


@pytest.mark.parametrize(("description", "first"), ENDS)
def test_the_first_sentence(description: str, first: str) -> None:
    assert summarise(description) == first


def test_all_sentences() -> None:
    text = "Find. See\nalso find_all (e.g. by\nauthor).\n\n1. Pick a shelf\n2. Look.\n\nArgs:\n    title: the title"
    found = [sentence for part in PART.split(text) for sentence in sentences(part)]
    assert found[:3] == ["Find.", "See also find_all (e.g. by author).", "Pick a shelf"]
    assert found[3:] == ["Look.", "Args: title: the title"]


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
