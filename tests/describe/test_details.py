"""Summaries hold no call syntax, parameter lists, examples or orders of steps; prose that only looks alike stays."""

from __future__ import annotations

import pytest

from pdmigrate.describe.descriptions import DescriptionFile, check
from pdmigrate.describe.details import Details
from pdmigrate.describe.summaries import summaries
from pdmigrate.live.verify import listing
from pdmigrate.migrate.plan.records import description_schema
from pdmigrate.runtime.guidance import first_sentence

SIBLINGS = {"list_rooms": "List the rooms.", "login": "Log in.", "lookup": "Look a word up."}

CUT = [
    # calls
    ("Search notes, e.g. search(query='tide', limit=5) or search('moon').", "Search notes"),
    ("Search notes by calling book_room('tide').", "Search notes"),
    ("Search notes with `notes.search(query, limit)`", "Search notes"),
    ('Search notes: search("tide")', "Search notes"),
    ("Search notes, for instance search([1, 2]).", "Search notes"),
    ("Search notes via lookup(word).", "Search notes"),
    ("查找笔记，例如 search(query='tide')。", "查找笔记"),
    ("search(query, limit=10) -> list: Search notes.", "Search notes."),
    ("book_room(room) - Books a room.", "Books a room."),
    ("search(query: str, limit: int = 10) -> list[str]\n\nSearch notes by words.", "Search notes by words."),
    # lists of parameters
    ("Search notes with query (str, required), limit (int, 1-50) and order ('asc' or 'desc').", "Search notes"),
    ("Search notes by `query` (string): the words.", "Search notes"),
    ("Search notes\nArguments: query, limit", "Search notes"),
    ("Search notes **Parameters**: query", "Search notes"),
    ("Search notes :param query: the words", "Search notes"),
    ("Search notes @param query the words", "Search notes"),
    ("Args: x: the number. Returns: The square.", "The square."),
    ("Books a room [room: str, day: date]", "Books a room"),
    ("Parameters\n----------\nroom : str\n    The room.\n\nBooks a room.", "Books a room."),
    ("Parameters - room: str, day: date. Books a room.", "Books a room."),
    ("Accepts: room, day. Books a room.", "Books a room."),
    ("Required: room. Optional: day. Books a room.", "Books a room."),
    ("Required fields: room, day. Books a room.", "Books a room."),
    ('Input schema: {"type": "object"}. Books a room.', "Books a room."),
    # values
    ("Search notes; set dry_run=true first.", "Search notes"),
    ("Search notes with limit=5.", "Search notes"),
    # examples
    ('Send a message like {"to": "bo", "text": "hi"}.', "Send a message"),
    ("Send a message, e.g. {to: 'bo'}", "Send a message"),
    ("Run a query (example: SELECT * FROM t)", "Run a query"),
    ("Run a query ```SELECT 1```", "Run a query"),
    ("E.g. book_room('x'). Books a room.", "Books a room."),
    ("Run a query. Use it when order='asc' is enough. Use it to read.", "Run a query. Use it to read."),
    ("Args:\n    x: the number. Positive.", "book_room"),
    # an order of steps
    (
        "First call list_rooms, then pass the id as room and set dry_run=true before the real call. Books a room.",
        "Books a room.",
    ),
    ("First, list the rooms. Books a room.", "Books a room."),
    ("Call login, then this. Books a room.", "Books a room."),
    ("Before calling this tool, get a room. Books a room.", "Books a room."),
    ("IMPORTANT: You must call login first! Books a room.", "Books a room."),
    ("Always call `login` before. Books a room.", "Books a room."),
    ("Prerequisite: a login. Books a room.", "Books a room."),
    ("Never call it twice. Books a room.", "Books a room."),
    ("After calling list_rooms, choose one.\n\nBooks a room.", "Books a room."),
    ("Step 1. Call list_rooms. Step 2. Call this. Books a room.", "Books a room."),
    ("Requires list_rooms to have been called. Books a room.", "Books a room."),
    ("Ensure list_rooms was called. Books a room.", "Books a room."),
    ("You need to authenticate before using this. Books a room.", "Books a room."),
    ("Workflow: 1) list_rooms 2) book_room. Books a room.", "Books a room."),
    ("To book a room, first call list_rooms, then call this with room.", "To book a room"),
    ("Before anything else, run login. Books a room.", "Books a room."),
    ("Prior to use, authenticate. Books a room.", "Books a room."),
    ("Log in first. Books a room.", "Books a room."),
    ("1) Call list_rooms. 2) Pick one. 3) Call this. Books a room.", "Books a room."),
    ("Use list_rooms to find the id, then pass it here. Books a room.", "Books a room."),
    ("Get the id with list_rooms first. Books a room.", "Books a room."),
    ("Start with list_rooms. Books a room.", "Books a room."),
    ("Requires a token from login(); pass it as token. Books a room.", "Books a room."),
    ("To use: provide a room and a day. Books a room.", "Books a room."),
    ("This tool must be called after list_rooms. Books a room.", "Books a room."),
    ("You should first look at the rooms. Books a room.", "Books a room."),
    ("Please make sure that the room exists. Books a room.", "Books a room."),
    ("Provide the room as `room`. Books a room.", "Books a room."),
    ("Follow these steps: list_rooms, then this. Books a room.", "Books a room."),
    ("Only works after login. Books a room.", "Books a room."),
    # nothing but details: the name
    ("book_room(x, y)", "book_room"),
]  # fmt: skip

KEPT = [
    "Get the value(s) of all item(s).",
    "Free what malloc() gave.",
    "Compute f(x) for one x.",
    "Run `git status`.",
    "Expand the template {id} in an address.",
    "Read https://example.org/list?page=2&limit=5 again.",
    "List rooms (string and int columns too).",
    "List the first ten rooms.",
    "Ensure that a folder exists.",
    "Call a phone number.",
    "Count the pages where status = 'open'.",
    "Solve ax+b=0.",
    "Say the kind of a value: string, integer or list.",
    "Requires no login.",
    "Then and now: two pictures of a place.",
    "Convert input to output, e.g. Markdown to HTML.",
    "Count rows by status (e.g., open, closed).",
    "Always call this at the start.",
    "Attach to 'tcp:port=5005'.",
    "Use a camera to take a picture, then crop it.",
    "Clean the data before use.",
    "What is it? Tells a word's meaning.",
]


def summary(description: str) -> str | None:
    return summaries({"book_room": description, **SIBLINGS}).get("book_room")


@pytest.mark.parametrize(("description", "wanted"), CUT)
def test_details_and_steps_reach_no_summary(description: str, wanted: str) -> None:
    made = summary(description)
    assert made == wanted
    assert Details(("book_room", *SIBLINGS)).first(made) is None
    assert listing.parameter_list(made) is None
    assert listing.example(made) is None


@pytest.mark.parametrize("description", KEPT)
def test_what_only_looks_like_a_detail_stays(description: str) -> None:
    assert summary(f"{description} It is slow.") == description.partition("? ")[0].rstrip("?") + (
        "?" if "? " in description else ""
    )


@pytest.mark.parametrize(
    ("said", "is_one"),
    [*((text, True) for text, _ in CUT[:16] if "lookup" not in text), *((text, False) for text in KEPT)],
)
def test_a_summary_of_a_person_with_details_is_a_finding(said: str, is_one: bool) -> None:
    content = {"name": "book_room", "summary": said, "description": f"{said} More."}
    found = [one.code for one in check(DescriptionFile("book_room.json", content), description_schema())]
    assert ("PD409" in found) == is_one


def test_a_summary_that_is_only_the_name_is_a_finding() -> None:
    content = {"name": "book_room", "summary": "book_room", "description": "Usage: book_room(x)"}
    (found,) = [
        one for one in check(DescriptionFile("book_room.json", content), description_schema()) if one.code == "PD409"
    ]
    assert "nothing but details" in found.message


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
def test_the_running_server_cuts_the_same_details_from_descriptions_that_source_does_not_settle(
    description: str, wanted: str
) -> None:
    assert first_sentence(description) == wanted
