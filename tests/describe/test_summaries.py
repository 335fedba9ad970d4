"""Sentences, and summaries: those of a description that tell what a tool is for, and from its siblings.

They hold no call syntax, parameter lists, examples or orders of steps; prose that only looks alike stays.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdmigrate.describe.descriptions import DescriptionFile, check
from pdmigrate.describe.details import Details
from pdmigrate.describe.summaries import LONGEST, PART, sentences, summaries, summarise
from pdmigrate.live.verify import listing
from pdmigrate.migrate.plan.records import description_schema
from pdmigrate.runtime.guidance import first_sentence

BOOKS = {"lend_book": "Lend a book.", "find_journals": "Find journals.", "find": "Find anything."}
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
ROOMS = {"list_rooms": "List the rooms.", "login": "Log in.", "lookup": "Look a word up."}

BOOKING = "Books a room."
SEARCH = "Search notes"
CUT = [
    # calls, lists of parameters, values and examples
    *(
        (f"{SEARCH}{detail}", SEARCH)
        for detail in (
            *(", e.g. search(query='tide', limit=5) or search('moon').", " by calling book_room('tide')."),
            *(" with `notes.search(query, limit)`", ': search("tide")', ", for instance search([1, 2])."),
            *(" via lookup(word).", " with query (str, required), limit (int, 1-50) and order ('asc' or 'desc')."),
            *(" by `query` (string): the words.", "\nArguments: query, limit", " **Parameters**: query"),
            *(" :param query: the words", " @param query the words", "; set dry_run=true first.", " with limit=5."),
        )
    ),
    ("查找笔记，例如 search(query='tide')。", "查找笔记"),
    ("search(query, limit=10) -> list: Search notes.", "Search notes."),
    ("search(query: str, limit: int = 10) -> list[str]\n\nSearch notes by words.", "Search notes by words."),
    ("Args: x: the number. Returns: The square.", "The square."),
    ("Books a room [room: str, day: date]", "Books a room"),
    ("Parameters\n----------\nroom : str\n    The room.\n\nBooks a room.", "Books a room."),
    ('Send a message like {"to": "bo", "text": "hi"}.', "Send a message"),
    ("Send a message, e.g. {to: 'bo'}", "Send a message"),
    ("Run a query (example: SELECT * FROM t)", "Run a query"),
    ("Run a query ```SELECT 1```", "Run a query"),
    ("Run a query. Use it when order='asc' is enough. Use it to read.", "Run a query. Use it to read."),
    ("Args:\n    x: the number. Positive.", "book_room"),
    ("After calling list_rooms, choose one.\n\nBooks a room.", "Books a room."),
    ("To book a room, first call list_rooms, then call this with room.", "To book a room"),
    ("book_room(x, y)", "book_room"),
    # lists of parameters, and orders of steps
    *(
        (f"{step} {BOOKING}", BOOKING)
        for step in (
            *("book_room(room) -", "Parameters - room: str, day: date.", "Accepts: room, day."),
            *("Required: room. Optional: day.", "Required fields: room, day.", 'Input schema: {"type": "object"}.'),
            "E.g. book_room('x').",
            "First call list_rooms, then pass the id as room and set dry_run=true before the real call.",
            *("First, list the rooms.", "Call login, then this.", "Before calling this tool, get a room."),
            *("IMPORTANT: You must call login first!", "Always call `login` before.", "Prerequisite: a login."),
            *("Never call it twice.", "Step 1. Call list_rooms. Step 2. Call this."),
            *("Requires list_rooms to have been called.", "Ensure list_rooms was called."),
            *("You need to authenticate before using this.", "Workflow: 1) list_rooms 2) book_room."),
            *("Before anything else, run login.", "Prior to use, authenticate.", "Log in first."),
            *("1) Call list_rooms. 2) Pick one. 3) Call this.", "Use list_rooms to find the id, then pass it here."),
            *("Get the id with list_rooms first.", "Start with list_rooms."),
            *("Requires a token from login(); pass it as token.", "To use: provide a room and a day."),
            *("This tool must be called after list_rooms.", "You should first look at the rooms."),
            *("Please make sure that the room exists.", "Provide the room as `room`."),
            *("Follow these steps: list_rooms, then this.", "Only works after login."),
        )
    ),
]

KEPT = [
    *("Get the value(s) of all item(s).", "Free what malloc() gave.", "Compute f(x) for one x.", "Run `git status`."),
    *("Expand the template {id} in an address.", "Read https://example.org/list?page=2&limit=5 again."),
    *("List rooms (string and int columns too).", "List the first ten rooms.", "Ensure that a folder exists."),
    *("Call a phone number.", "Count the pages where status = 'open'.", "Solve ax+b=0."),
    *("Say the kind of a value: string, integer or list.", "Requires no login."),
    *("Then and now: two pictures of a place.", "Convert input to output, e.g. Markdown to HTML."),
    *("Count rows by status (e.g., open, closed).", "Always call this at the start.", "Attach to 'tcp:port=5005'."),
    *("Use a camera to take a picture, then crop it.", "Clean the data before use."),
    "What is it? Tells a word's meaning.",
]
SIBLINGS = {"find_books": BOOKS, "book_room": ROOMS}


def summary(name: str, description: str) -> str | None:
    return summaries({name: description, **SIBLINGS[name]}).get(name)


def warned(name: str, said: str, description: str) -> list[str]:
    """What is found wrong with a summary, that it holds details."""
    file = DescriptionFile(f"{name}.json", {"name": name, "summary": said, "description": description})
    return [one.message for one in check(file, description_schema()) if one.code == "PD409"]


@pytest.mark.parametrize(
    ("name", "description", "wanted"),
    [*(("find_books", *case) for case in CASES), *(("book_room", *case) for case in CUT)],
)
def test_summaries(name: str, description: str, wanted: str) -> None:
    made = summary(name, description)
    assert made == wanted
    assert made == name or warned(name, made, description) == [], "it is not one that we warn of"
    assert Details((name, *SIBLINGS[name])).first(made) is None
    assert listing.parameter_list(made) is None
    assert listing.example(made) is None


@pytest.mark.parametrize("description", KEPT)
def test_what_only_looks_like_a_detail_stays(description: str) -> None:
    assert summary("book_room", f"{description} It is slow.") == description.removesuffix(" Tells a word's meaning.")


@pytest.mark.parametrize(
    ("said", "is_one"),
    [*((text, True) for text, _ in CUT[:16] if "lookup" not in text), *((text, False) for text in KEPT)],
)
def test_a_summary_of_a_person_with_details_is_a_finding(said: str, is_one: bool) -> None:
    assert bool(warned("book_room", said, f"{said} More.")) == is_one


def test_a_summary_that_is_only_the_name_is_a_finding() -> None:
    (message,) = warned("book_room", "book_room", "Usage: book_room(x)")
    assert "nothing but details" in message


@pytest.mark.parametrize(
    ("description", "wanted"),
    [
        ("Search notes, e.g. search(query='tide') or search('moon').", "Search notes"),
        ("Search notes with query (str, required) and limit (int).", "Search notes"),
        ('Send a message like {"to": "bo"}.', "Send a message"),
        ("Search notes\nArgs:\n    query: the words", "Search notes"),
        ("Free what malloc() gave (all of it). Slow.", "Free what malloc() gave (all of it)."),
        ("Expand {id} by f(x). Slow.", "Expand {id} by f(x)."),
        ("First call list_rooms, then book. Books a room. Slow.", "Books a room."),
        ("Step 1: list the rooms.\n\nBooks a room.", "Books a room."),
        ("Before you book, list the rooms!\nBooks a room.", "Books a room."),
        ("First, you need list_rooms.\n\nArgs:\n    room: its name", "First, you need list_rooms."),
        ("First come first served queue. Slow.", "First come first served queue."),
        ("Books a room\n\nFirst call list_rooms.", "Books a room"),
        ("\n\nBooks a\n    room. Slow.", "Books a room."),
        # what stands behind a step may be a list, and no sentence of one is what the tool does
        ("\n\n First call list_rooms.\n\n Args:\n     room: Its name. Must be free.\n", "First call list_rooms."),
        ("First call list_rooms.\n\nParameters:\n    room: Its name. Must be free.", "First call list_rooms."),
        ("First call list_rooms.\n\nReturns:\n    The room. With its key.", "First call list_rooms."),
        ("First call list_rooms.\n\n- room: Its name. Must be free.", "First call list_rooms."),
        ("First call list_rooms.\n\n:param room: Its name. Must be free.", "First call list_rooms."),
        ("First call list_rooms.\n\n```\nGo there. book()\n```", "First call list_rooms."),
        ("Books a room with\n`name` or key. Slow.", "Books a room with `name` or key."),
        ("1. Books a room.\n2. Locks it.", "1. Books a room."),
        ("1. First call list_rooms.\n2. Then call this.\n\nBooks a room.", "Books a room."),
        ("Args:\n    room: Its name. Must be free.", ""),
        ("कमरा बुक करता है। धीमा।", "कमरा बुक करता है।"),
        (" \n ", ""),
        ("(" * 5_000, "(" * 199 + "…"),  # a second for every thousand, before
    ],
)
def test_the_running_server_cuts_the_same_details_from_what_source_leaves_open(description: str, wanted: str) -> None:
    assert first_sentence(description) == wanted


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
