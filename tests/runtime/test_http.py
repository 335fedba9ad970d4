"""The transports that many sessions share, and those without sessions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.runtime.harness import MCP_1_12, Bench, build, served, spec, told
from tests.support.environments import MCP1

URI = "resource:///tool_descriptions"
BRIDGE = "desk_describe_tools"
ADMIN = {"x-role": "admin"}
PINS = {"mcp 1.30": MCP1, "mcp 1.12": MCP_1_12}


@pytest.fixture(scope="module", params=PINS)
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """The module on a new and on an old SDK."""
    return Bench(PINS[request.param], build(tmp_path_factory.mktemp("http")))


def http(port: int, **headers: str) -> dict[str, Any]:
    return {"http": f"http://127.0.0.1:{port}/mcp/", "headers": headers}


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
    "http, by default advised": ("http", {}, ["ran", "advised", "ran", "failed", "ran"]),
    "http, enforced": ("http", {"http": "enforce"}, ["refused", "failed", "ran", "failed", "refused"]),
    "stateless, enforced: advised": ("stateless", {"http": "enforce"}, ["ran", "advised", "ran", "advised", "ran"]),
    "the old SSE transport counts as stdio": ("sse", {}, ["refused", "failed", "ran", "failed", "refused"]),
    "SSE, advised": ("sse", {"stdio": "advise", "http": "enforce"}, ["ran", "advised", "ran", "failed", "ran"]),
}


# How transports are told apart is what may differ between releases, and three cases show that.
OLD_SDK = ("http, enforced", "stateless, enforced: advised", "the old SSE transport counts as stdio")
CASES = [*(("mcp 1.30", case) for case in POLICIES), *(("mcp 1.12", case) for case in OLD_SDK)]


@pytest.mark.parametrize(("both", "case"), CASES, indirect=["both"])
def test_the_policy_of_a_transport_decides(both: Bench, case: str) -> None:
    transport, arguments, expected = POLICIES[case]
    with both.listening(transport, arguments) as port:
        where = {"sse": f"http://127.0.0.1:{port}/sse"} if transport == "sse" else http(port)
        steps = [["a", *GOOD], ["a", *BAD], ["b", *FETCH], ["b", *GOOD], ["b", *BAD], ["c", *GOOD]]
        answers = both.talk({"a": where, "b": where, "c": where}, *steps)
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


def test_a_receipt_is_void_once_the_description_has_changed(tmp_path: Path) -> None:
    bench = Bench(MCP1, build(tmp_path, spec(receipt=True)))
    with bench.listening("stateless", {"http": "receipt"}) as port:
        (fetched,) = bench.talk({"a": http(port)}, ["a", *FETCH])
        old = {"words": "tidal", "description_receipt": receipt_of(served(fetched)["find"])}
        file = bench.folder / "tool_descriptions" / "find.json"
        file.write_text(file.read_text().replace("Find books by words.", "Find books by their words."))
        fetched, refused, unread = bench.talk(
            {"a": http(port)}, ["a", *FETCH], ["a", "call", "find", old], ["a", *GOOD]
        )
        assert outcome(refused) == outcome(unread) == "refused"
        new = receipt_of(told(refused)["tool_description"])
        assert new == receipt_of(served(fetched)["find"]) != old["description_receipt"]
        (ran,) = bench.talk({"a": http(port)}, ["a", "call", "find", {**old, "description_receipt": new}])
    assert outcome(ran) == "ran"


def test_receipts_are_for_http_only(receipts: Bench) -> None:
    listed, fetched, called = receipts.over({"http": "receipt"}, ["a", "tools"], ["a", *FETCH], ["a", *GOOD])
    assert "receipt" not in str(listed)
    assert "receipt" not in str(fetched)
    assert outcome(called) == "ran"
