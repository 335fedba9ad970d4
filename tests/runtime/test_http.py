"""The transports that many sessions share, and those without sessions."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.live.wire import HttpTarget, Session
from tests.runtime.harness import MCP_1_12, Bench, build, served, spec, told
from tests.runtime.samples import Call, answer, answers, session
from tests.runtime.test_stdio import BRIDGE, URI
from tests.support.environments import MCP1


def http(port: int) -> AbstractContextManager[Session]:
    return session(HttpTarget(f"http://127.0.0.1:{port}/mcp/"))


def outcome(answer: dict[str, Any]) -> str:
    """What became of a call: ``ran``, ``refused``, ``failed`` or ``advised``."""
    if not answer.get("isError"):
        return "ran"
    text = answer["content"][0]["text"]
    if "TOOL_DESCRIPTION_REQUIRED" in text:
        return "refused"
    return "advised" if len(answer["content"]) > 1 else "failed"


GOOD, BAD = ("find", {"words": "tidal"}), ("find", {"words": "t"})
FETCH = f"{URI}?tools=find"

TRANSPORTS = {"http": "refused failed ran failed refused", "stateless": "ran advised ran advised ran"}
"""What becomes of a good and a bad call before any fetch, of both after it, and of a good one in another session."""


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_an_old_sdk_tells_transports_apart_as_well(bench: Bench, transport: str) -> None:
    found = []
    with Bench(MCP_1_12, bench.folder).listening(transport, {"http": "enforce"}) as port:
        for fetches, calls in ((False, [GOOD, BAD]), (True, [GOOD, BAD]), (False, [GOOD])):
            with http(port) as opened:
                if fetches:
                    opened.read_resource(FETCH)
                found += map(outcome, answers(opened, calls))
    assert " ".join(found) == TRANSPORTS[transport]


# --- receipts ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def receipts(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(MCP1, build(tmp_path_factory.mktemp("receipt"), spec(receipt=True)))


def receipt_of(definition: dict[str, Any]) -> str:
    (token,) = definition["inputSchema"]["properties"]["description_receipt"]["enum"]
    return str(token)


def test_a_receipt_opens_a_tool_on_any_replica_and_never_reaches_it(receipts: Bench) -> None:
    replicas = [receipts.listening("stateless", {"http": "receipt"}) for _ in range(2)]
    with replicas[0] as one, replicas[1] as two, http(one) as first, http(two) as second:
        stubs = {str(tool["name"]): tool["inputSchema"] for tool in first.list_tools()}
        definition = served(first.read_resource(f"{URI}?tools=find,plain"))["find"]
        token = receipt_of(definition)
        with_token = {"description_receipt": token}
        calls: dict[str, Call] = {
            "none": GOOD,
            "right": ("find", {"words": "tidal", **with_token}),
            "wrong": ("find", {"words": "tidal", "description_receipt": "00000000"}),
            "of another tool": ("plain", with_token),
            "right, bad arguments": ("find", {"words": "t", **with_token}),
            "right, an undeclared argument": ("find", {"words": "tidal", "x": 1, **with_token}),
            "unlisted": ("nonsense", {"key": "abc"}),
        }
        on_one, on_two = (dict(zip(calls, answers(opened, calls), strict=True)) for opened in (first, second))
    assert on_one == on_two
    outcomes = " ".join(outcome(answer) for answer in on_one.values())
    assert outcomes == "refused ran refused refused failed failed ran"
    assert on_one["right"]["content"][0]["text"] == '["find", {"words": "tidal"}]'
    assert on_one["right, bad arguments"]["content"][0]["text"] == "Input validation error: 't' is too short"
    assert "('x' was unexpected)" in on_one["right, an undeclared argument"]["content"][0]["text"]
    for call in ("none", "wrong"):
        assert told(on_one[call])["tool_description"] == definition
        assert f"enum: {token}" in on_one[call]["content"][0]["text"]
    for name in ("find", "plain"):
        assert stubs[name]["properties"]["description_receipt"] == {"type": "string"}
        assert "description_receipt" not in stubs[name].get("required", [])
    assert "description_receipt" in definition["inputSchema"]["required"]
    assert "description_receipt" not in stubs[BRIDGE]["properties"]


def test_a_receipt_of_an_older_text_is_refused_with_the_new_text_in_hand(tmp_path: Path) -> None:
    bench = Bench(MCP1, build(tmp_path, spec(receipt=True)))
    with bench.listening("stateless", {"http": "receipt"}) as port, http(port) as opened:

        def called(definition: dict[str, Any]) -> Any:
            return answer(opened, "find", {"words": "tidal", "description_receipt": receipt_of(definition)})

        before = served(opened.read_resource(FETCH))["find"]
        file = bench.folder / "tool_descriptions" / "find.json"
        file.write_text(json.dumps({**json.loads(file.read_text("utf-8")), "usage_guidance": "Softly."}), "utf-8")
        refused = called(before)
        now = told(refused)["tool_description"]
        ran = called(now)
    assert now["usage_guidance"] == "Softly."
    assert (outcome(refused), outcome(ran)) == ("refused", "ran")


def test_receipts_are_for_http_only(receipts: Bench) -> None:
    with receipts.session({"http": "receipt"}) as opened:
        assert "receipt" not in str([opened.list_tools(), opened.read_resource(FETCH)])
        assert outcome(answer(opened, *GOOD)) == "ran"
