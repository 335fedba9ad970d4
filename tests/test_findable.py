"""Summaries by which a tool is still found."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdmigrate.findable import FIRST, MOST_WORDS, Summaries, summaries
from pdmigrate.search import Index, document, removed, words
from pdmigrate.stubs import STUB_SCHEMAS, stub_schema
from pdmigrate.summaries import summarise


def tool(name: str, description: str | None, **parameters: str) -> dict[str, Any]:
    properties = {key: {"type": "string", "description": text} for key, text in parameters.items()}
    definition = {"name": name, "inputSchema": {"type": "object", "properties": properties}}
    return definition if description is None else {**definition, "description": description}


PLACES = ("bucket", "queue", "topic", "table", "stream", "cluster")
TALES = {
    "bucket": "Keeps objects with lifecycle and versioning.",
    "queue": "Messages wait here for a visibility timeout.",
    "topic": "Fans notifications out to subscribers.",
    "table": "Rows with partition keys and indexes.",
    "stream": "Shards of records in order of arrival.",
    "cluster": "Nodes that run containers under one scheduler.",
}
ALIKE = [tool(f"describe_{place}", f"Describe one resource. {TALES[place]}") for place in PLACES]


def stubs(tools: list[dict[str, Any]], kind: str, said: dict[str, str]) -> Index:
    listed = [
        {"name": t["name"], "description": said[t["name"]], "inputSchema": stub_schema(kind, t["inputSchema"])}
        for t in tools
    ]
    return Index([document(entry) for entry in listed])


def test_a_tool_that_is_found_anyway_keeps_its_sentence() -> None:
    alone = [tool("weather", "Get the weather. It comes from a station nearby that is read hourly.")]
    assert summaries(alone, "skeleton") == {"weather": "Get the weather."}


def test_tools_whose_first_sentence_is_the_same_are_told_apart() -> None:
    made = summaries(ALIKE, "skeleton")
    index = stubs(ALIKE, "skeleton", made)
    for number, definition in enumerate(ALIKE):
        question = words(" ".join(removed(definition, "Describe one resource.")))
        assert index.place(question, number) <= FIRST
        assert made[definition["name"]].startswith("Describe one resource. Keywords: ")


def test_a_keyword_is_a_word_that_the_stub_does_not_say_already() -> None:
    for name, summary in summaries(ALIKE, "skeleton").items():
        chosen = words(summary.partition("Keywords: ")[2])
        assert chosen
        assert not {*words(name), "describe", "one", "resource"} & set(chosen)
        assert len(chosen) == len(set(chosen)) <= MOST_WORDS


def test_a_parameter_name_is_a_keyword_only_where_the_stub_does_not_list_it() -> None:
    tools = [tool(f"set_{n}", "Change one setting.", zone=f"The zone to be changed for number {n}.") for n in range(6)]
    assert not any("zone" in summary for summary in summaries(tools, "skeleton").values())


@pytest.mark.parametrize(
    ("description", "start"),
    [
        ("Describe one resource\n\nKeeps objects with lifecycle.", "Describe one resource. Keywords: "),
        ("Describe one resource!\n\nKeeps objects with lifecycle.", "Describe one resource! Keywords: "),
        (None, "describe bucket. Keywords: "),
    ],
)
def test_a_sentence_without_an_end_gets_one(description: str | None, start: str) -> None:
    tools = [tool("describe_bucket", description, a="Objects have a lifecycle and versioning."), *ALIKE[1:]]
    assert summaries(tools, "open")["describe_bucket"].startswith(start)


@pytest.mark.parametrize(
    "tools",
    [
        [],
        [tool("a", None)],
        [tool("a", ""), tool("b", "")],
        [tool("a", "Same. Same text here."), tool("b", "Same. Same text here.")],
        [{"name": "a", "inputSchema": None, "description": 7}],
    ],
)
def test_there_is_a_summary_for_whatever_is_listed(tools: list[dict[str, Any]]) -> None:
    made = summaries(tools, "skeleton")
    assert list(made) == [t["name"] for t in tools]
    assert all(made.values())


def test_another_kind_of_stub_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown stub schema"):
        summaries(ALIKE, "tiny")


def test_summaries_are_made_once_and_only_when_one_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def counted(tools: Any, kind: str) -> dict[str, str]:
        calls.append(kind)
        return {t["name"]: "made" for t in tools}

    monkeypatch.setattr("pdmigrate.findable.summaries", counted)
    seeds = Summaries(ALIKE, "open")
    assert calls == []
    assert seeds.of("describe_queue") == seeds.of("describe_table") == "made"
    assert seeds.of("unlisted_tool") == "unlisted tool"
    assert calls == ["open"]


_TEXT = st.text(st.sampled_from("ab cd.\nxyz é検"), max_size=60)
_TOOLS = st.lists(st.tuples(_TEXT, _TEXT), max_size=7).map(
    lambda pairs: [tool(f"t{n}", text, p=parameter) for n, (text, parameter) in enumerate(pairs)]
)


@given(_TOOLS, st.sampled_from(STUB_SCHEMAS))
def test_a_summary_is_one_line_that_begins_with_the_sentence(tools: list[dict[str, Any]], kind: str) -> None:
    made = summaries(tools, kind)
    assert made == summaries(tools, kind)
    for definition in tools:
        sentence = summarise(definition["name"], definition["description"])
        summary = made[definition["name"]]
        assert summary == sentence or summary.startswith(sentence)
        assert "\n" not in summary
