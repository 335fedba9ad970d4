"""How the benchmark with a real model judges: what counts as right, what ends a task, what is read as a call."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from benchmarks.model import figures
from benchmarks.model.conditions import CONDITIONS, MAIN
from benchmarks.model.models import Reply, TooLongError, calls, prompt
from benchmarks.model.playing import Offer, play
from benchmarks.model.tasks import HELD_OUT, TUNED, Step, Task, fits, servers, subset, tasks
from pdmigrate.audit.verdict import PLAYED

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
        self.heard: list[tuple[str, list[str], int]] = []

    def read(self, messages: list[Json], tools: list[Json]) -> None:
        self.answer("", messages, tools)

    def answer(self, conversation: str, messages: list[Json], tools: list[Json]) -> Reply:
        self.heard.append((conversation, [message["role"] for message in messages], len(tools)))
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


def test_a_conversation_grows_and_keeps_its_name() -> None:
    model = Scripted(call("moor"), call("moor", berth="B4"))
    play(TASK, offer(), model)
    (first, opening, _), (second, whole, _) = model.heard
    assert first == second
    assert (opening, whole) == (["system", "user"], ["system", "user", "assistant", "tool"])


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


def test_a_call_goes_back_to_the_model_as_its_template_writes_it() -> None:
    fenced = f"I will.\n```json\n{call('moor', berth='B4')}\n```"
    told = [
        {"role": "system", "content": "Help."},
        {"role": "user", "content": "Moor."},
        {"role": "assistant", "content": fenced, "calls": list(calls(fenced))},
        {"role": "tool", "content": REFUSAL},
        {"role": "assistant", "content": "Sorry.", "calls": []},
    ]
    turns = prompt(told, []).split("<|im_start|>")
    assert turns[3] == f"assistant\n<tool_call>\n{call('moor', berth='B4')}\n</tool_call><|im_end|>\n"
    assert turns[4] == f"user\n<tool_response>\n{REFUSAL}\n</tool_response><|im_end|>\n"
    assert turns[5:] == ["assistant\nSorry.<|im_end|>\n", "assistant\n"]


def test_each_server_has_twelve_tasks_and_two_without_a_right_tool() -> None:
    assert len(servers()) == 10
    for server in servers():
        own = tasks(server)
        assert (len(own), sum(not task.steps for task in own)) == (14, 2), server
        assert sum(bool(task.needs) for task in own) >= 4, server


@pytest.mark.parametrize(("count", "shares"), [(24, {4}), (20, {3, 4}), (3, {0, 1}), (500, {14})])
def test_a_subset_has_tasks_of_all_servers_on_which_words_may_be_tried_out(count: int, shares: set[int]) -> None:
    chosen = subset(TUNED, count)
    assert set(chosen) == set(servers()) - HELD_OUT
    assert {len(own) for own in chosen.values()} == shares
    assert sum(map(len, chosen.values())) == min(count, 6 * 14)
    for name, own in chosen.items():
        assert len({task.id for task in own}) == len(own)
        assert all(task in tasks(name) for task in own)


def row(server: str, condition: str, outcome: str, prompt: int, task: str = "01") -> Json:
    counts = {"turns": 1, "prompt": prompt, "uncached": prompt // 2, "written": 10}
    return {"server": server, "condition": condition, "task": task, "key": "k", "outcome": outcome, **counts}


def test_of_two_results_of_a_task_the_later_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "FILE", tmp_path / "figures.json")
    assert figures.read() == []
    old, new, other = (
        row("b", "before", "no call", 3),
        row("b", "before", "solved", 4),
        row("a", "before", "solved", 5),
    )
    figures.record([old, other])
    figures.record([*figures.read(), {**new, "said": ["what is not recorded"]}])
    assert figures.read() == [other, new]
    assert len(figures.FILE.read_text().splitlines()) == 4


def test_the_tables_say_what_is_solved_and_at_which_share_of_the_prompt_tokens() -> None:
    rows = [
        row("devrev-mcp", "before", "solved", 1000),
        row("mcp-notify", "before", "wrong tool", 3000),
        row("devrev-mcp", "advise", "solved", 250),
        row("mcp-notify", "advise", "solved", 750),
        row("mcp-notify", "advise", "no call", 750, task="02"),
        row("mcp-notify", "before", "solved", 3000, task="03"),
    ]
    told = figures.tables(rows, ["before", "advise", "strict"])
    assert "| before | 2 | 1 | 1 | 0 | 0 | 0 | 0 | 2 | 4,000 | 2,000 | 20 |" in told
    assert "| devrev-mcp | 1/1 | 1/1, 25% |" in told
    assert "| *audit says to migrate* | 1/1 | 1/1, 25% |" in told
    # A task that was not played under both conditions would make them incomparable.
    assert "| mcp-notify | 0/1 | 1/1, 25% |" in told
    assert "| *all* | 1/2 | 2/2, 25% |" in told


PROJECT = Path(__file__).parents[2]


def test_the_page_has_the_recorded_figures() -> None:
    page = (PROJECT / "docs" / "models.md").read_text(encoding="utf-8")
    by_condition, by_server = figures.tables(figures.read(), MAIN).split("\n\n")
    assert by_condition in page
    assert by_server in page
    others, _ = figures.tables(figures.read(), [one.name for one in CONDITIONS]).split("\n\n")
    assert others in page


def test_audit_and_readme_say_the_recorded_figures() -> None:
    *_, total = figures.tables(figures.read(), MAIN).splitlines()
    (before, played), (advise, _), (enforce, _) = re.findall(r"(\d+)/(\d+)", total)
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    for text in (PLAYED, " ".join(readme.split())):
        assert f"{before} of {played} tasks before" in text
        assert re.search(rf"\b{advise} (with|behind) stubs,? and {enforce} where first calls are refused", text)
