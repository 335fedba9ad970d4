"""What the specification says of the resource, its answers and its grants, of a migrated server over stdio."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.live.verify import wording
from pdmigrate.live.wire import StdioTarget
from tests.runtime.harness import Bench, served
from tests.runtime.samples import SAMPLES, session

URI = "resource:///tool_descriptions"
FIND = ["a", "call", "find", {"words": "tidal"}]


@pytest.fixture(scope="module")
def text(bench: Bench) -> str:
    """The description of the resource."""
    (listed,) = bench.over({}, ["a", "resources"])
    return str(listed["resources"][0]["description"])


def test_the_resource_and_what_is_read_of_it_are_json(bench: Bench) -> None:
    listed, fetch, error = bench.over({}, ["a", "resources"], ["a", "read", f"{URI}?tools=find"], ["a", "read", URI])
    assert listed["resources"][0]["mimeType"] == "application/json"
    for answer in (fetch, error):
        (content,) = answer["contents"]
        assert content["mimeType"] == "application/json"
        assert isinstance(json.loads(content["text"]), dict)


def test_a_fetch_holds_what_was_asked_for_and_no_word_before_it(bench: Bench) -> None:
    names = (["lend"], ["plain", "find"])
    answers = bench.over({}, *(["a", "read", f"{URI}?tools={','.join(wanted)}"] for wanted in names))
    for wanted, answer in zip(names, answers, strict=True):
        (content,) = answer["contents"]
        assert content["text"].startswith("{")
        assert content["text"].endswith("}")
        assert list(json.loads(content["text"])) == wanted


def test_a_name_that_nobody_lists_has_an_entry_with_an_error(bench: Bench) -> None:
    (answer,) = bench.over({}, ["a", "read", f"{URI}?tools=find,nonsense"])
    entries = served(answer)
    assert "inputSchema" in entries["find"]
    assert entries["nonsense"]["error"] == "Tool 'nonsense' not found"
    assert {"find", "lend"} <= {*entries["nonsense"]["available_tools"]}


@pytest.mark.parametrize("check", wording.SAID)
def test_the_resource_says(text: str, check: str) -> None:
    assert wording.says(check, text)


def test_the_resource_says_what_is_chosen_by_and_what_is_learned_in_steps_that_follow_each_other(text: str) -> None:
    steps = [text.index(step) for step in ("1. PICK", "2. FETCH", "3. CALL")]
    assert steps == sorted(steps)
    pick, fetch = text[steps[0] : steps[1]], text[steps[1] : steps[2]]
    assert "tools/list" in pick
    assert "WHAT" in pick
    assert "enough to choose" in pick
    assert "HOW" in fetch
    assert "parameters" in fetch


def test_the_resource_says_that_an_unfetched_call_is_refused_and_that_the_bare_address_is_wrong(text: str) -> None:
    assert "CANNOT call a tool before its fetch authorises it" in text
    assert "refused" in text
    assert f"WRONG: {URI} (without ?tools=)" in text


def test_a_grant_lasts_for_the_session(bench: Bench) -> None:
    first, fetch, *calls = bench.over({}, FIND, ["a", "read", f"{URI}?tools=find"], FIND, FIND, ["a", "tools"], FIND)
    assert first["isError"]
    assert list(served(fetch)) == ["find"]
    for answer in (calls[0], calls[1], calls[3]):
        assert not answer.get("isError")
        assert answer == calls[0]


def test_files_are_parsed_once_and_again_when_they_change(tmp_path: Path) -> None:
    """A change that leaves the time of the file as it was shows whether the file is read at every fetch."""
    sample = SAMPLES["mcp1_lowlevel"]
    folder = sample.migrated(tmp_path / "library")
    name = sample.good[0]
    path = folder / "tool_descriptions" / f"{name}.json"
    content: dict[str, Any] = json.loads(path.read_text("utf-8"))
    before = path.stat()
    with session(StdioTarget(sample.command(folder))) as made:

        def guidance() -> Any:
            return served(made.read_resource(f"{URI}?tools={name}"))[name].get("usage_guidance")

        first = guidance()
        path.write_text(json.dumps({**content, "usage_guidance": "Softly."}), encoding="utf-8")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert guidance() == first != "Softly."
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1_000_000_000))
        assert guidance() == "Softly."
