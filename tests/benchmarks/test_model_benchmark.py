"""How the benchmark with a real model judges: what counts as right, what ends a task, what is read as a call."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from benchmarks.model import figures
from benchmarks.model.conditions import CONDITIONS, MAIN
from benchmarks.model.models import Reply, TooLongError, calls
from benchmarks.model.playing import Offer, play
from benchmarks.model.tasks import Step, Task, fits

Json = dict[str, Any]
MOOR: Json = {
    "inputSchema": {
        "type": "object",
        "properties": {"berth": {"type": "string"}, "nights": {"type": "integer", "default": 1}},
        "required": ["berth"],
    }
}
REFUSAL = "Error TOOL_DESCRIPTION_REQUIRED: moor was not called yet."


class Scripted:
    """A model that says what it is told to say."""

    name = "scripted"

    def __init__(self, *texts: str) -> None:
        self._texts = list(texts)

    def read(self, messages: list[Json], tools: list[Json]) -> None:
        self.answer("", messages, tools)

    def answer(self, conversation: str, messages: list[Json], tools: list[Json]) -> Reply:
        del conversation, messages, tools
        if not self._texts:
            raise TooLongError("there is nothing more")
        text = self._texts.pop(0)
        return Reply(text, calls(text), prompt=100, shared=60, written=10)


def call(name: str, **arguments: Any) -> str:
    return json.dumps({"name": name, "arguments": arguments})


def offer(*, gated: bool = False) -> Offer:
    def called(name: str, arguments: Json) -> tuple[str, bool]:
        if name == "describe_tools":
            return "the definitions", False
        return (REFUSAL, True) if gated else (f"{name} refuses {arguments}", True)

    return Offer("", [], {"moor": MOOR, "cast_off": MOOR}, called, "describe_tools", gated)


TASK = Task("1", "Moor at B4.", (Step("moor", {"berth": "B4"}),))
NOTHING = Task("2", "What is the weather?", ())
TWO = Task("3", "Leave B1 and moor at B4.", (Step("cast_off", {"berth": "B1"}), Step("moor", {"berth": "B4"})))


@pytest.mark.parametrize(
    ("task", "texts", "gated", "outcome", "turns"),
    [
        (TASK, [call("moor", berth="B4")], False, "solved", 1),
        (TASK, [call("moor", berth="B4", nights=1)], False, "solved", 1),
        (TASK, [call("moor", berth="B5")], False, "wrong arguments", 1),
        (TASK, [call("cast_off", berth="B4")], False, "wrong tool", 1),
        (TASK, ["It is done."], False, "no call", 1),
        (TASK, [call("moor"), call("moor", berth="B4")], False, "solved", 2),
        (TASK, [call("describe_tools", names=["moor"]), call("moor", berth="B4")], False, "solved", 2),
        (TASK, [call("moor", berth="B4")] * 2, True, "solved", 2),
        (TASK, [call("moor", berth="B4"), REFUSAL], True, "no call", 2),
        (TASK, [call("describe_tools", names=[])] * 9, False, "in circles", 3),
        (TASK, [call("describe_tools", names=[str(n)]) for n in range(9)], False, "in circles", 8),
        (TASK, [], False, "too long", 0),
        (TWO, [call("cast_off", berth="B1"), call("moor", berth="B4")], False, "solved", 2),
        (TWO, [call("moor", berth="B4")], False, "wrong tool", 1),
        (NOTHING, ["I cannot know."], False, "solved", 1),
        (NOTHING, [call("moor", berth="B4")], False, "wrong tool", 1),
    ],
)
def test_a_task_ends_as_a_reader_would_judge(
    task: Task, texts: list[str], gated: bool, outcome: str, turns: int
) -> None:
    played = play(task, offer(gated=gated), Scripted(*texts))
    assert (played.outcome, played.turns) == (outcome, turns)
    assert (played.prompt, played.uncached, played.written) == (100 * turns, 40 * turns, 10 * turns)


@pytest.mark.parametrize(
    ("wanted", "given", "right"),
    [
        ({"berth": "B4"}, {"berth": " B4 "}, True),
        ({"berth": "B4"}, {"berth": "B4", "nights": 2}, False),
        ({"berth": "B4"}, {"berth": "B4", "note": None}, True),
        ({"berth": "B4"}, {}, False),
        ({"berth": {"$any": ["B4", "B5"]}}, {"berth": "B5"}, True),
        ({"berth": {"$any": ["B4", "B5"]}}, {"berth": "B6"}, False),
        ({"berth": {"$like": "b\\d"}}, {"berth": "B6"}, True),
        ({"berth": {"$like": "b\\d"}}, {"berth": "B66"}, False),
        ({"berth": {"$free": True}}, {"berth": "anything"}, True),
        ({"berth": {"$free": True}}, {}, False),
        ({"berth": {"$free": True, "$absent": True}}, {}, True),
        ({"tags": {"$some": ["a", "b"]}}, {"tags": ["b", "c", "a"]}, True),
        ({"tags": {"$some": ["a", "b"]}}, {"tags": ["a"]}, False),
        ({"nights": 1}, {"nights": True}, False),
        ({"filter": {"depth": 2}}, {"filter": {"depth": 2, "power": None}}, True),
        ({"filter": {"depth": 2}}, {"filter": {"depth": 2, "power": True}}, False),
        ({"filter": {"depth": {"$any": [2, 3]}}}, {"filter": {"depth": 3}}, True),
        ({"list": [1, 2]}, {"list": [2, 1]}, False),
    ],
)
def test_arguments_are_right_if_they_mean_the_same(wanted: Json, given: Json, right: bool) -> None:
    assert fits(Step("moor", wanted), given, MOOR) is right


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"<tool_call>\n{call('moor', berth='B4')}\n</tool_call>", ("moor",)),
        (f"<tool_call>{call('moor')}</tool_call> and <tool_call>{call('cast_off')}", ("moor", "cast_off")),
        (f"I will call it.\n```json\n{call('moor')}\n```", ("moor",)),
        (call("moor"), ("moor",)),
        ("moor(berth='B4')", ()),
        ('{"error": {"code": "TOOL_DESCRIPTION_REQUIRED"}}', ()),
        ('{"name": "moor", "arguments": {"berth": "B4"}]}', ()),
    ],
)
def test_calls_are_found_in_what_a_small_model_writes(text: str, found: tuple[str, ...]) -> None:
    assert tuple(name for name, _ in calls(text)) == found


PROJECT = Path(__file__).parents[2]


def test_the_page_has_the_recorded_figures() -> None:
    page = (PROJECT / "docs" / "models.md").read_text(encoding="utf-8")
    by_condition, by_server = figures.tables(figures.read(), MAIN).split("\n\n")
    assert by_condition in page
    assert by_server in page
    others, _ = figures.tables(figures.read(), [one.name for one in CONDITIONS]).split("\n\n")
    assert others in page


def test_readme_says_the_recorded_figures() -> None:
    *_, total = figures.tables(figures.read(), MAIN).splitlines()
    (before, played), (advise, _), (enforce, _) = re.findall(r"(\d+)/(\d+)", total)
    readme = " ".join((PROJECT / "README.md").read_text(encoding="utf-8").split())
    assert advise == enforce
    assert f"{before} of {played} tasks before, and {advise} after, whether or not first calls are refused" in readme
