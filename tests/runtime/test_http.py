"""The transports that many sessions share, and those without sessions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.harness import MCP_1_12, Bench, build, served, spec, told
from tests.support.environments import MCP1

URI = "resource:///tool_descriptions"
BRIDGE = "desk_describe_tools"


def http(port: int) -> dict[str, Any]:
    return {"http": f"http://127.0.0.1:{port}/mcp/"}


def outcome(answer: dict[str, Any]) -> str:
    """What became of a call: ``ran``, ``refused``, ``failed`` or ``advised``."""
    if not answer.get("isError"):
        return "ran"
    text = answer["content"][0]["text"]
    if "TOOL_DESCRIPTION_REQUIRED" in text:
        return "refused"
    return "advised" if len(answer["content"]) > 1 else "failed"


GOOD, BAD = ["call", "find", {"words": "tidal"}], ["call", "find", {"words": "t"}]
FETCH = ["read", f"{URI}?tools=find"]

POLICIES: dict[str, tuple[str, dict[str, str], list[str]]] = {
    # The calls: good and bad before any fetch; good and bad after it; good in another session.
    "http, enforced": ("http", {"http": "enforce"}, ["refused", "failed", "ran", "failed", "refused"]),
    "stateless, enforced: advised": ("stateless", {"http": "enforce"}, ["ran", "advised", "ran", "advised", "ran"]),
    "the old SSE transport counts as stdio": ("sse", {}, ["refused", "failed", "ran", "failed", "refused"]),
}


@pytest.mark.parametrize("case", POLICIES)
def test_an_old_sdk_tells_transports_apart_as_well(bench: Bench, case: str) -> None:
    transport, arguments, expected = POLICIES[case]
    old = Bench(MCP_1_12, bench.folder)
    with old.listening(transport, arguments) as port:
        where = {"sse": f"http://127.0.0.1:{port}/sse"} if transport == "sse" else http(port)
        steps = [["a", *GOOD], ["a", *BAD], ["b", *FETCH], ["b", *GOOD], ["b", *BAD], ["c", *GOOD]]
        answers = old.talk({"a": where, "b": where, "c": where}, *steps)
    assert [outcome(answer) for answer in [*answers[:2], *answers[3:]]] == expected


# --- receipts ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def receipts(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(MCP1, build(tmp_path_factory.mktemp("receipt"), spec(receipt=True)))


def receipt_of(definition: dict[str, Any]) -> str:
    (token,) = definition["inputSchema"]["properties"]["description_receipt"]["enum"]
    return str(token)


def test_a_receipt_opens_a_tool_on_any_replica_and_never_reaches_it(receipts: Bench) -> None:
    policy = {"http": "receipt"}
    with receipts.listening("stateless", policy) as one, receipts.listening("stateless", policy) as two:
        replicas = {"one": http(one), "two": http(two)}
        listed, fetched = receipts.talk(replicas, ["one", "tools"], ["one", "read", f"{URI}?tools=find,plain"])
        definition = served(fetched)["find"]
        token = receipt_of(definition)
        with_token = {"description_receipt": token}
        calls: dict[str, tuple[str, dict[str, Any]]] = {
            "none": ("find", {"words": "tidal"}),
            "right": ("find", {"words": "tidal", **with_token}),
            "wrong": ("find", {"words": "tidal", "description_receipt": "00000000"}),
            "of another tool": ("plain", with_token),
            "right, bad arguments": ("find", {"words": "t", **with_token}),
            "right, an undeclared argument": ("find", {"words": "tidal", "x": 1, **with_token}),
            "unlisted": ("admin", {"key": "abc"}),
        }
        steps = [[replica, "call", *call] for call in calls.values() for replica in replicas]
        answers = receipts.talk(replicas, *steps)
    on_one, on_two = (dict(zip(calls, answers[start::2], strict=True)) for start in (0, 1))
    assert on_one == on_two
    assert {call: outcome(answer) for call, answer in on_one.items()} == {
        "none": "refused",
        "right": "ran",
        "wrong": "refused",
        "of another tool": "refused",
        "right, bad arguments": "failed",
        "right, an undeclared argument": "failed",
        "unlisted": "ran",
    }
    assert on_one["right"]["content"][0]["text"] == '["find", {"words": "tidal"}]'
    assert on_one["right, bad arguments"]["content"][0]["text"] == "Input validation error: 't' is too short"
    assert "('x' was unexpected)" in on_one["right, an undeclared argument"]["content"][0]["text"]
    for call in ("none", "wrong"):
        assert told(on_one[call])["tool_description"] == definition
        assert f"enum: {token}" in on_one[call]["content"][0]["text"]
    stubs = {tool["name"]: tool["inputSchema"] for tool in listed["tools"]}
    for name in ("find", "plain"):
        assert stubs[name]["properties"]["description_receipt"] == {"type": "string"}
        assert "description_receipt" not in stubs[name].get("required", [])
    assert "description_receipt" in definition["inputSchema"]["required"]
    assert "description_receipt" not in stubs[BRIDGE]["properties"]


def test_a_receipt_of_an_older_text_is_refused_with_the_new_text_in_hand(tmp_path: Path) -> None:
    bench = Bench(MCP1, build(tmp_path, spec(receipt=True)))
    with bench.listening("stateless", {"http": "receipt"}) as port:

        def called(definition: dict[str, Any]) -> Any:
            call = ["a", "call", "find", {"words": "tidal", "description_receipt": receipt_of(definition)}]
            return bench.talk({"a": http(port)}, call)[0]

        before = served(bench.talk({"a": http(port)}, ["a", *FETCH])[0])["find"]
        file = bench.folder / "tool_descriptions" / "find.json"
        file.write_text(json.dumps({**json.loads(file.read_text("utf-8")), "usage_guidance": "Softly."}), "utf-8")
        refused = called(before)
        now = told(refused)["tool_description"]
        ran = called(now)
    assert now["usage_guidance"] == "Softly."
    assert (outcome(refused), outcome(ran)) == ("refused", "ran")


def test_receipts_are_for_http_only(receipts: Bench) -> None:
    listed, fetched, called = receipts.over({"http": "receipt"}, ["a", "tools"], ["a", *FETCH], ["a", *GOOD])
    assert "receipt" not in str(listed)
    assert "receipt" not in str(fetched)
    assert outcome(called) == "ran"
