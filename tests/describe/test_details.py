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

BOOKS = "Books a room."
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
        (f"{step} {BOOKS}", BOOKS)
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
    assert summary(f"{description} It is slow.") == description.removesuffix(" Tells a word's meaning.")


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
    found = check(DescriptionFile("book_room.json", content), description_schema())
    assert ["nothing but details" in one.message for one in found if one.code == "PD409"] == [True]


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
