"""What a client sees over stdio, where every session is a process."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from pdmigrate.runtime.stubs import skeleton_schema
from tests.runtime.harness import WORDS, Bench, refusal, served, told
from tests.runtime.programs.definitions import FULL, MOVED, stub
from tests.runtime.samples import Call, answers, asked

URI = "resource:///tool_descriptions"
BRIDGE = "desk_describe_tools"
LISTED = ["find", "lend", "faulty", "plain"]
FIND: Call = ("find", {"words": "tidal"})

CALLS: dict[str, Call] = {
    "a valid call": FIND,
    "an argument that is too short": ("find", {"words": "t"}),
    "an argument that nobody declared": ("find", {"words": "tidal", "colour": "red"}),
    "a missing argument": ("find", {}),
    "an optional argument of the wrong form": ("find", {"words": "tidal", "shelf": "x"}),
    "a structured result": ("lend", {"book": 1}),
    "a number below the minimum": ("lend", {"book": 0}),
    "a result that the output schema forbids": ("faulty", {}),
    "a call to a tool that the code keeps": ("plain", {"tags": ["a"]}),
    "a bad argument to a tool that the code keeps": ("plain", {"where": 1}),
    "a tool that fails": ("plain", {"fail": True}),
    "a tool that does not exist": ("nonsense", {"x": 1}),
}


@pytest.fixture(scope="module")
def before(bench: Bench) -> dict[str, Any]:
    """The answers of the server as it was."""
    with bench.session(None) as opened:
        found = dict(zip(CALLS, answers(opened, CALLS), strict=True))
    assert "is too short" in found["an argument that is too short"]["content"][0]["text"]
    assert "Output validation error" in found["a result that the output schema forbids"]["content"][0]["text"]
    return found


@pytest.fixture(scope="module")
def after(bench: Bench) -> dict[str, Any]:
    """The answers of the migrated server: to calls without a fetch, then to a fetch."""
    with bench.session({}) as opened:
        found: dict[str, Any] = {name: opened.request(f"{name}/list") for name in ("tools", "resources")}
        found.update(zip(CALLS, answers(opened, CALLS), strict=True))
        return {**found, "fetch": opened.read_resource(f"{URI}?tools={','.join(LISTED)}")}


# --- stage 1 ----------------------------------------------------------------------------------------------------------


def test_a_moved_tool_is_listed_by_its_file_whatever_the_code_lists(after: dict[str, Any]) -> None:
    tools = {tool["name"]: tool for tool in after["tools"]["tools"]}
    for name in MOVED:
        schema = skeleton_schema(FULL[name]["inputSchema"])
        assert tools[name] == {**FULL[name], "description": f"Summary of {name}.", "inputSchema": schema} != stub(name)


# --- everything else --------------------------------------------------------------------------------------------------


def test_our_resource_comes_first_and_says_how_to_use_it(after: dict[str, Any]) -> None:
    ours = after["resources"]["resources"][0]
    assert (ours["uri"], ours["mimeType"]) == (URI, "application/json")
    assert "tool_descriptions" in ours["name"]
    text = ours["description"]
    steps = [text.index(step) for step in ("1. PICK", "2. FETCH", "3. CALL")]
    assert steps == sorted(steps)
    for step, said in zip(steps, (("tools/list", "WHAT", "enough to choose"), ("HOW", "parameters")), strict=False):
        assert all(word in text[step : text.index("\n", step)] for word in said)
    for needed in (
        *(f"{URI}?tools=find", "CANNOT call a tool before its fetch authorises it", "refused"),
        "HOW to call the tool: its parameters, and examples and advice where there are any.\n",
        f"WRONG: {URI} (without ?tools=)",
    ):
        assert needed in text
    assert len(text) < 700


@pytest.mark.parametrize("call", CALLS)
def test_without_the_fetch_a_listed_tool_is_refused_and_any_other_answered_as_before(
    before: dict[str, Any], after: dict[str, Any], call: str
) -> None:
    name, answer = CALLS[call][0], after[call]
    if name not in LISTED:
        assert answer == before[call]
        return
    if call != next(first for first, (called, _) in CALLS.items() if called == name):
        assert answer == before[call]  # the first call of the tool brought its description
        return
    error = refusal(answer)
    assert error["message"] == f"Tool '{name}' requires fetching its description before use."
    assert error["resource_uri"] == f"{URI}?tools={name}"
    assert error["resource_uri"] in error["how"]
    assert f'{BRIDGE} with names=["{name}"]' in error["how"]
    carried = told(answer)["tool_description"]
    assert carried == served(after["fetch"])[name]
    (block,) = answer["content"]
    assert block["text"].startswith(f"TOOL_DESCRIPTION_REQUIRED: {name} was not called")
    assert carried["description"] in block["text"]
    for word in (*carried["inputSchema"]["properties"], *map(str, texts_in(carried["inputSchema"]["properties"]))):
        assert word in block["text"]
    assert block["text"].endswith(f"Reply with your call of {name}, its arguments corrected by this description.")
    assert "{" not in block["text"].replace(carried["description"], "")


def texts_in(value: Any) -> list[str]:
    """All texts in JSON."""
    if isinstance(value, dict | list):
        return [text for part in (value.values() if isinstance(value, dict) else value) for text in texts_in(part)]
    return [value] if isinstance(value, str) else []


# --- stage 2 ----------------------------------------------------------------------------------------------------------


def test_a_fetch_serves_the_definitions_of_before_with_what_people_wrote(after: dict[str, Any]) -> None:
    definitions, contents = served(after["fetch"]), after["fetch"]["contents"]
    assert list(definitions) == LISTED
    assert [(c["uri"], c["mimeType"]) for c in contents] == [(f"{URI}?tools={','.join(LISTED)}", "application/json")]
    for name, definition in definitions.items():
        digest = definition.pop("digest")
        assert definition == {**FULL[name], **WORDS.get(name, {})}
        canonical = json.dumps(definition, sort_keys=True)
        assert digest == "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()[:16]


BOTH = ("find,lend", "find%2Clend", "find&tools=lend", "%20find%20,,lend,", "+find,+lend+")
SELECTIONS = {
    **{f"?tools={words}": ["find", "lend"] for words in BOTH},
    "?tools=lend,find,lend": ["lend", "find"],
    **{query: ["find"] for query in ("?tools=find+", "/?tools=find", "?tools=find&x=1", "?tools=find#part")},
    "?tools=nonsense,find": ["find", "nonsense"],
    "?tools=../desk": ["../desk"],
    f"?tools={BRIDGE}": [BRIDGE],
}
EMPTY = ["", "?", "?tools=", "?tools=,%20,", "?tool=find", "?TOOLS=find"]


@pytest.fixture(scope="module")
def reads(bench: Bench) -> dict[str, Any]:
    with bench.session({}) as opened:
        return {query: opened.read_resource(URI + query) for query in (*SELECTIONS, *EMPTY)}


@pytest.mark.parametrize(("query", "names"), SELECTIONS.items(), ids=SELECTIONS)
def test_a_selection_names_tools_with_commas_and_repeats(reads: dict[str, Any], query: str, names: list[str]) -> None:
    answer = served(reads[query])
    assert list(answer) == names
    for name in names:
        if name in (*LISTED, BRIDGE):
            assert answer[name]["name"] == name
        else:
            listed = [*LISTED, BRIDGE]
            assert answer[name] == {"error": f"Tool '{name}' not found", "available_tools": listed}


def test_our_resource_is_known_by_two_slashes_too(bench: Bench) -> None:
    uri = URI.replace(":///", "://")
    with bench.session({}) as opened:
        found = [opened.read_resource(f"{uri}{query}") for query in ("?tools=find", "/?tools=lend", "")]
        for other in ("resource:////tool_descriptions", f"{URI}s?tools=find"):
            assert "no resource" in json.dumps(asked(opened, "resources/read", {"uri": other}))
    assert [list(served(answer)) for answer in found] == [["find"], ["lend"], ["error"]]


@pytest.mark.parametrize("query", EMPTY)
def test_a_fetch_without_names_is_the_error_of_the_specification(reads: dict[str, Any], query: str) -> None:
    error = served(reads[query])["error"]
    assert error["code"] == "MISSING_TOOL_SELECTION"
    assert error["message"] == "You must specify one or more tool names in the 'tools' parameter."
    assert all(example.startswith(f"{URI}?tools=") for example in error["examples"])
    assert error["available_tools"] == [*LISTED, BRIDGE]


# --- policies ---------------------------------------------------------------------------------------------------------


def test_advise_runs_a_call_and_adds_the_description_to_its_error_once(bench: Bench, before: dict[str, Any]) -> None:
    calls = ["a valid call", "an argument that is too short", "an argument that is too short", "a tool that fails"]
    calls += ["a tool that does not exist", "a bad argument to a tool that the code keeps"]
    with bench.session({"stdio": "advise"}) as opened:
        found = answers(opened, [CALLS[call] for call in calls])
    assert found[1]["content"][:-1] == before[calls[1]]["content"]
    assert json.loads(found[1]["content"][-1]["text"])["find"]["inputSchema"] == FULL["find"]["inputSchema"]
    assert json.loads(found[3]["content"][-1]["text"])["plain"]["description"] == FULL["plain"]["description"]
    for number in (0, 2, 4, 5):
        assert found[number] == before[calls[number]]


def test_a_fetch_of_too_many_names_is_answered_with_their_number(bench: Bench) -> None:
    names = [f"t{number}" for number in range(41)]
    with bench.session({}) as opened:
        found = served(opened.read_resource(f"{URI}?tools={','.join(names[1:])}"))
        resource = opened.read_resource(f"{URI}?tools={','.join(names)}")
        bridge = opened.call_tool(BRIDGE, {"names": [*names]})
    assert served(resource) == served(bridge)
    assert served(resource)["error"] == {
        "code": "TOO_MANY_TOOLS",
        "message": "41 names: fetch at most 40 at once.",
        "names": 41,
        "most": 40,
    }
    assert bridge["isError"] is True
    assert list(found) == names[1:]
    assert found["t1"] == {"error": "Tool 't1' not found", "available_tools": [*LISTED, BRIDGE]}  # said once
    assert all(found[name] == {"error": f"Tool '{name}' not found"} for name in names[2:])
