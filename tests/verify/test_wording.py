"""What texts are faulted for; the specification's own examples and plain good prose are not."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import pytest

from pdmigrate.live.verify import disclosure, listing
from tests.describe.test_summaries import KEPT
from tests.verify.notes import GUIDANCE, URI

SHORT = (  # name and description of the specification's example, 11.2
    "Tool Descriptions - Required for tool use\nWORKFLOW: Step 1: Pick tool from tools/list based on what it does. "
    "Step 2: Fetch full description: resource:///tool_descriptions?tools=TOOL_NAME. "
    "Step 3: Call tool with parameters learned. Must specify ?tools= parameter when fetching."
)
LONG = """Tool Descriptions
WORKFLOW:

Step 1: PICK which tool you need from tools/list based on SHORT descriptions
Step 2: FETCH full description: resource:///tool_descriptions?tools=TOOL_NAME
Step 3: CALL the tool with parameters you learned

IMPORTANT: You CANNOT call a tool until you fetch its description.
This resource tells you HOW to use it (parameters, examples) and authorizes it.
"""


def test_the_given_examples_say_everything() -> None:
    """But for the shorter one, which does not say that fetching authorizes."""
    said = [{check for check in disclosure.SAID if disclosure.says(check, text)} for text in (LONG, SHORT)]
    assert said == [{*disclosure.SAID}, {*disclosure.SAID} - {"4.2-authorizes"}]


@pytest.mark.parametrize("check", disclosure.SAID)
@pytest.mark.parametrize("text", ["", "Notes of one person.", "The manual of this server, in JSON."])
def test_a_text_that_is_about_something_else_says_nothing(text: str, check: str) -> None:
    assert not disclosure.says(check, text)


MORE = [
    "Search notes by words, for example those of last week. Use it before creating one.",
    "Run a query with parameters bound safely; returns rows as JSON.",
    "Compare two arguments in a debate (pro and con), e.g. for an essay",
    "Says hello - or anything else: it echoes its input",
    "Convert 3:4 ratios; see http://example.org/usage",
]


@pytest.mark.parametrize("text", [*KEPT, *MORE])
def test_prose_is_left_alone(text: str) -> None:
    assert listing.parameter_list(text) is None
    assert listing.example(text) is None


FAULTED = {
    listing.parameter_list: (
        *("Add.\n\nArgs:\n    a: one", "Add. Args: a: one", "Add.\n\nParameters:\n- a", "Add.\n:param a: one"),
        *("Add.\n@param a one", "Add.\n- a (string): one", "Add.\n  `a` (int, optional) one"),
        *('Takes {"type": "object"}', "Add.\n\nReturns:\n    the sum"),
    ),
    listing.example: (
        *("Add.\nExample: add(1, 2)", "Add. Examples: add(1, 2)", "Add.\n```\nadd\n```", "Add.\n>>> add(1)"),
        "Usage: x",
    ),
}


@pytest.mark.parametrize("find", FAULTED)
def test_details_are_found(find: Callable[[str], str | None]) -> None:
    assert [text for text in FAULTED[find] if not find(text)] == []


@pytest.mark.parametrize(
    ("text", "finds"),
    [
        ('Find plants. Call it like find_plant(name="salix", limit=3).', [listing.example]),
        ('Find plants, e.g. with name="salix".', [listing.example]),
        ('Find plants. {"name": "salix"}', [listing.example]),
        ("Water a bed. First call read_bed, then pass the bed that it returned in the field bed.", [listing.usage]),
        ("Find plants by name, up to a limit.", []),
        ("Set the bed of a plant.", []),
        ("Read what stands in one bed. Use this before water_bed to see what stands there.", []),
        ("Water one bed for some minutes. Always use this tool when the soil is dry.", []),
    ],
)
def test_details_are_found_each_by_its_own_rule(text: str, finds: list[Callable[[str], str | None]]) -> None:
    assert [find for find in (listing.parameter_list, listing.example, listing.usage) if find(text)] == finds


LACKING = {
    "9.2-listing": ("tools/list; the short descriptions there say", "those you see, by"),
    "9.2-before": (
        GUIDANCE,
        f"Step 1: pick from tools/list. Step 2: parameters at {URI}?tools=NAME, which unlocks; required.",
    ),
    "9.2-query": (f"For instance {URI}?tools=search_notes,create_note\n", ""),
    "9.2-otherwise": ("You CANNOT call a tool until then: the call fails. ", ""),
    "4.2-steps": ("Step ", ""),
    "4.2-choice": ("PICK the tool from tools/list; the short descriptions there say WHICH tool to use", "tools/list"),
    "4.2-example": (f"For instance {URI}?tools=search_notes,create_note", "Add ?tools= and names."),
    "4.2-authorizes": (" Fetching authorizes the tool for this session.", ""),
}
"""By check, guidance that lacks what it asks for."""


@pytest.mark.parametrize("check", disclosure.SAID)
def test_what_is_left_out_is_missed_by_its_own_check(check: str) -> None:
    text = GUIDANCE.replace(*LACKING[check])
    assert text != GUIDANCE
    missed = {each for each in disclosure.SAID if not disclosure.says(each, text)}
    assert missed == {check, *(["4.2-example"] if check == "9.2-query" else [])}


def test_a_name_says_what_it_is() -> None:
    good = ["Tool Descriptions - Required for tool use", "tool_descriptions", "Full tool definitions"]
    assert [*filter(disclosure.names_descriptions, [*good, "Descriptions", "Tools", ""])] == good


@pytest.mark.parametrize("check", disclosure.SAID)
def test_a_long_description_is_read_once(check: str) -> None:
    started = process_time()
    assert not disclosure.says(check, "of a table " * 2_000)
    assert process_time() - started < 2
