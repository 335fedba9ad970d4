"""Servers without sessions, several of them behind a proxy: a fetch at one replica serves a call at any other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.wire import HttpTarget, Session
from tests.runtime.harness import served
from tests.runtime.samples import ENVELOPES, HANDSHAKE, SAMPLES, URI, Sample, session
from tests.support.proxy import round_robin
from tests.support.running import serving

TOOLS = {"mcp1_fastmcp": "find_sailings", "mcp2_lowlevel": "book_pump"}
GOOD: dict[str, dict[str, Any]] = {
    "mcp1_fastmcp": {"departs_from": "skarven"},
    "mcp2_lowlevel": {"plot": 1, "day": "mon"},
}
BAD: dict[str, dict[str, Any]] = {"mcp1_fastmcp": {"departs_from": "moon"}, "mcp2_lowlevel": {"plot": 2, "day": "mon"}}
CASES = [("mcp1_fastmcp", HANDSHAKE), ("mcp2_lowlevel", HANDSHAKE), ("mcp2_lowlevel", ENVELOPES)]


@dataclass(frozen=True)
class Replicas:
    """Two processes of one migrated sample without sessions, and one that has them."""

    sample: Sample
    folder: Path
    ports: tuple[int, ...]
    stateful: int

    @property
    def tool(self) -> str:
        return TOOLS[self.sample.name]

    @contextmanager
    def balanced(self, era: str) -> Iterator[tuple[Session, list[int]]]:
        with round_robin(self.ports) as (port, chosen), session(self.target(port), era) as opened:
            yield opened, chosen

    def target(self, port: int) -> HttpTarget:
        return HttpTarget(f"http://127.0.0.1:{port}/mcp")


@contextmanager
def running(name: str, policy: str, folder: Path) -> Iterator[Replicas]:
    sample = SAMPLES[name]
    sample.migrated(folder, "--http", policy)
    command, stateless = sample.command(folder), sample.command(folder, "--stateless")
    with serving(stateless, stateless, command) as ports:
        yield Replicas(sample, folder, ports[:-1], ports[-1])


@pytest.fixture(scope="module", params=TOOLS)
def advised(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replicas]:
    with running(request.param, "advise", tmp_path_factory.mktemp("advised") / "copy") as replicas:
        yield replicas


@pytest.fixture(scope="module", params=TOOLS)
def receipted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replicas]:
    with running(request.param, "receipt", tmp_path_factory.mktemp("receipted") / "copy") as replicas:
        yield replicas


def eras(replicas: Replicas) -> list[str]:
    return [era for name, era in CASES if name == replicas.sample.name]


def definition(opened: Session, tool: str) -> Any:
    return served(opened.read_resource(f"{URI}?tools={tool}"))[tool]


def token_of(full: Any) -> str:
    (token,) = full["inputSchema"]["properties"]["description_receipt"]["enum"]
    return str(token)


def refusal(answer: Any) -> Any:
    """What a refused call is told; None for one that ran."""
    if not answer.get("isError"):
        return None
    error = served(answer)["error"]
    assert error["code"] == "TOOL_DESCRIPTION_REQUIRED"
    return error


# --- advise -----------------------------------------------------------------------------------------------------------


def test_advice_comes_from_every_replica_alike(advised: Replicas) -> None:
    good, bad = GOOD[advised.sample.name], BAD[advised.sample.name]
    for era in eras(advised):
        with advised.balanced(era) as (opened, chosen):
            full = definition(opened, advised.tool)
            runs = [opened.call_tool(advised.tool, good) for _ in advised.ports]
            failures: list[Any] = [opened.call_tool(advised.tool, bad) for _ in advised.ports]
            assert len(set(chosen[-2:])) == 2
        assert not any(answer.get("isError") for answer in runs)
        assert all(answer["isError"] for answer in failures)
        assert [json.loads(answer["content"][-1]["text"])[advised.tool] for answer in failures] == [full] * 2


def test_a_host_that_opens_a_session_for_each_call_is_advised_in_each(advised: Replicas) -> None:
    for _ in range(3):
        with session(advised.target(advised.stateful)) as opened:
            assert opened.has_session
            assert not opened.call_tool(advised.tool, GOOD[advised.sample.name]).get("isError")
        with session(advised.target(advised.stateful)) as opened:
            failed: Any = opened.call_tool(advised.tool, BAD[advised.sample.name])
        assert list(json.loads(failed["content"][-1]["text"])) == [advised.tool]


# --- receipts ---------------------------------------------------------------------------------------------------------


def test_a_receipt_of_one_replica_is_taken_by_every_other(receipted: Replicas) -> None:
    good = GOOD[receipted.sample.name]
    for era in eras(receipted):
        with receipted.balanced(era) as (opened, chosen):
            refused = [opened.call_tool(receipted.tool, good) for _ in receipted.ports]
            token = token_of(definition(opened, receipted.tool))
            runs = [opened.call_tool(receipted.tool, {**good, "description_receipt": token}) for _ in receipted.ports]
            assert len(set(chosen[-2:])) == 2
        assert all("description" not in refusal(answer) for answer in refused)
        assert [refusal(answer) for answer in runs] == [None] * 2


def test_a_host_that_opens_a_session_for_each_call_carries_its_receipt(receipted: Replicas) -> None:
    with session(receipted.target(receipted.stateful)) as opened:
        token = token_of(definition(opened, receipted.tool))
    for _ in range(3):
        with session(receipted.target(receipted.stateful)) as opened:
            arguments = {**GOOD[receipted.sample.name], "description_receipt": token}
            assert refusal(opened.call_tool(receipted.tool, arguments)) is None


def test_a_receipt_of_an_older_text_is_refused_with_the_new_text_in_hand(receipted: Replicas) -> None:
    good, tool = GOOD[receipted.sample.name], receipted.tool
    file = receipted.folder / "tool_descriptions" / f"{tool}.json"
    for number, era in enumerate(eras(receipted)):
        with receipted.balanced(era) as (opened, _):
            old = token_of(definition(opened, tool))
            content = json.loads(file.read_text(encoding="utf-8"))
            file.write_text(json.dumps({**content, "usage_guidance": {"notes": [f"new {number}"]}}), encoding="utf-8")
            answers = [opened.call_tool(tool, {**good, "description_receipt": old}) for _ in receipted.ports]
            texts = [refusal(answer)["description"] for answer in answers]
            assert texts == [definition(opened, tool)] * 2
            assert texts[0]["usage_guidance"] == {"notes": [f"new {number}"]}
            new = token_of(texts[0])
            assert new != old
            runs = [opened.call_tool(tool, {**good, "description_receipt": new}) for _ in receipted.ports]
        assert [refusal(answer) for answer in runs] == [None] * 2
