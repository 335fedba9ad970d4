"""Which listed descriptions are the whole text of a definition, and which a summary with nothing to leave out."""

from __future__ import annotations

import json

import pytest

from pdmigrate.describe.summaries import LONGEST, summaries
from pdmigrate.live.verify import CHECKS, Status
from pdmigrate.live.verify.answers import Exchange, NotAsked, Result
from pdmigrate.live.verify.interview import Interview
from pdmigrate.live.verify.picks import Wish, pick
from pdmigrate.model import JsonObject

ONE = "Cancel an enrollment by its number, and tell the teachers of the course about it. "
TWO = f"{ONE}There is no way back, so ask the student before; those who wait for a place move up at once."
THREE = "Delete a page. Its links stay. Nobody can undo it."
LONG = f"{TWO} A number that is not known is an error, and so is one of a course that is over already."
WITHOUT_AN_END = "Cancel enrollments " + "and tell teachers of the course that stands behind this number " * 3


def _judged(listed: dict[str, str], full: dict[str, str]) -> set[str]:
    """The tools that ``9.1-text`` names on a server with these listed and full descriptions."""
    tools: tuple[JsonObject, ...] = tuple({"name": name, "description": text} for name, text in listed.items())
    body = json.dumps({name: {"name": name, "description": text} for name, text in full.items()})
    fetch = Exchange("first", "resources/read", {"uri": "x"}, Result({"contents": [{"uri": "x", "text": body}]}))
    seen = Interview(
        target="x",
        transport="stdio",
        has_session=True,
        server={},
        tools=tools,
        resources=(),
        templates=(),
        prompts=(),
        refused={},
        descriptor=None,
        resource="x",
        protocol="",
        chosen=pick(tools, Wish()),
        other=None,
        bridge=None,
        asked={"single": NotAsked("")},
        fetches=(fetch,),
        relisted=(),
        second_listing=(),
    )
    assert set(seen.entries) == set(full)
    found = next(check for check in CHECKS if check.id == "9.1-text").judge(seen)
    assert (found.status is Status.FAILED) is ("tools: " in found.detail)
    return {name for name in listed if f"{name}: " in found.detail}


@pytest.mark.parametrize(
    ("listed", "full", "whole"),
    [
        pytest.param(ONE, ONE, False, id="one short sentence"),
        pytest.param(TWO, TWO, False, id="two sentences of less than 200 characters"),
        pytest.param(THREE, THREE, False, id="three, which are shorter still"),
        pytest.param(TWO, f"{TWO} It is final.", False, id="a summary that is nearly the whole of a little more"),
        pytest.param("x" * 200, "x" * 200, False, id="as long as a summary may be"),
        pytest.param("ß" * 200, "ß" * 200, False, id="of letters that are two in another case"),
        pytest.param("x " * 201, "x" * 2 + " y" * 99, False, id="more than the definition says"),
        pytest.param(ONE, LONG, False, id="the first sentence of a long text"),
        pytest.param(f"{LONG[:205]} ...", LONG * 2, False, id="a long summary of a longer text"),
        pytest.param("x" * 201, "x" * 201, True, id="one character more than a summary may have"),
        pytest.param(LONG, LONG, True, id="a long text"),
        pytest.param(f"Courses: {LONG.upper()}!", LONG, True, id="a long text, in other letters and with an addition"),
        pytest.param(LONG.replace(" ", "\n  "), LONG, True, id="a long text in other lines"),
        pytest.param(LONG[: -len(LONG) // 12], LONG, True, id="a long text but for its end"),
        pytest.param(WITHOUT_AN_END, WITHOUT_AN_END, True, id="one sentence that is long"),
    ],
)
def test_only_what_holds_more_than_a_summary_could_is_the_whole_text(listed: str, full: str, whole: bool) -> None:
    assert _judged({"cancel": listed}, {"cancel": full}) == ({"cancel"} if whole else set())


def test_short_texts_that_all_stand_in_the_list_are_summaries_and_the_long_ones_beside_them_are_not() -> None:
    full = {"cancel": TWO, "delete": THREE, "enroll": LONG, "move": WITHOUT_AN_END}
    assert _judged({**full, "cancel": ONE}, full) == {"enroll", "move"}
    assert _judged({**full, "enroll": TWO, "move": ONE}, full) == set()


SHORT = {
    "cancel": "Cancel an enrollment. There is no way back.",
    "move": "Move a student to another course. Both teachers are told at once.",
    "list": "List the courses of a year. Those that are full come last.",
    "ping": "Say hello.",
}


@pytest.mark.parametrize(
    ("shortened", "whole"),
    [
        pytest.param((), {"cancel", "move", "list"}, id="no one"),
        pytest.param(("move",), set(), id="one of them"),
        pytest.param(tuple(SHORT), set(), id="all of them"),
    ],
)
def test_short_texts_are_whole_texts_where_not_one_of_several_was_shortened(
    shortened: tuple[str, ...], whole: set[str]
) -> None:
    listed = {name: text.partition(". ")[0] + "." if name in shortened else text for name, text in SHORT.items()}
    assert _judged(listed, SHORT) == whole


def test_two_short_texts_or_texts_that_nobody_would_shorten_are_their_own_summaries() -> None:
    two = {name: SHORT[name] for name in ("cancel", "move", "ping")}
    assert _judged(two, two) == set()
    chosen = {f"{verb}_page": f"{verb.title()} a page. Use this only for drafts." for verb in ("cut", "move", "mend")}
    assert summaries(chosen) == chosen
    assert _judged(chosen, chosen) == set()


SENTENCES = (ONE, THREE, "Use it instead of move. ", "Waits for the office, e.g. in vacations; it is quick. ")


@pytest.mark.parametrize("length", [1, 2, 3, 4])
@pytest.mark.parametrize("start", range(len(SENTENCES)))
def test_the_summaries_that_a_migration_writes_are_none(start: int, length: int) -> None:
    text = "".join((SENTENCES * 2)[start : start + length]).strip()
    full = {"cancel": text, "move": f"{text} {LONG}"}
    listed = summaries(full)
    assert all(len(summary) <= LONGEST for summary in listed.values())
    assert _judged(listed, full) == set()
