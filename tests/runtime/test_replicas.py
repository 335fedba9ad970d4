"""Servers without sessions, several of them behind a proxy: a fetch at one replica serves a call at any other."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.live.wire import HttpTarget, Session
from tests.runtime.harness import served, told
from tests.runtime.samples import ENVELOPES, HANDSHAKE, SAMPLES, URI, Call, Policies, Sample, session, stand
from tests.support.proxy import round_robin
from tests.support.running import serving

EVERY = [pytest.param(name, id=name) for name in SAMPLES]
REPLICAS = 2


@dataclass(frozen=True)
class Replicas:
    """Processes of one migrated sample without sessions, each with its own memory."""

    sample: Sample
    folder: Path
    ports: tuple[int, ...]

    @property
    def good(self) -> Call:
        return self.sample.good

    @property
    def bad(self) -> Call:
        return self.sample.good[0], self.sample.bad

    @contextmanager
    def balanced(self, era: str) -> Iterator[tuple[Session, list[int]]]:
        with round_robin(self.ports) as (port, chosen), session(self.target(port, era), era) as opened:
            yield opened, chosen

    def target(self, port: int, era: str = HANDSHAKE) -> HttpTarget:
        return HttpTarget(f"http://127.0.0.1:{port}/mcp", self.sample.headers if era == ENVELOPES else {})

    def edit(self, note: str) -> None:
        """What a person writes into the description file of the tool."""
        file = self.folder / "tool_descriptions" / f"{self.good[0]}.json"
        # A tool that source does not show has none yet.
        content = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"name": self.good[0]}
        file.write_text(json.dumps({**content, "usage_guidance": {"notes": [note]}}), encoding="utf-8")


@contextmanager
def running(name: str, policy: str, temporary: pytest.TempPathFactory) -> Iterator[Replicas]:
    with stand(SAMPLES[name], temporary) as made:
        folder = temporary.mktemp(policy) / "copy"
        shutil.copytree(made.folder(Policies(http=policy)), folder)
    command = made.sample.command
    with serving(*[command(folder, "--stateless")] * REPLICAS) as ports:
        yield Replicas(made.sample, folder, ports)


@pytest.fixture(scope="module", params=EVERY)
def advised(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replicas]:
    with running(request.param, "advise", tmp_path_factory) as replicas:
        yield replicas


@pytest.fixture(scope="module", params=EVERY)
def receipted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replicas]:
    with running(request.param, "receipt", tmp_path_factory) as replicas:
        yield replicas


def definition(opened: Session, tool: str) -> Any:
    return served(opened.read_resource(f"{URI}?tools={tool}"))[tool]


def token_of(full: Any) -> str:
    (token,) = full["inputSchema"]["properties"]["description_receipt"]["enum"]
    return str(token)


def refusal(answer: Any) -> Any:
    """The definition that a refused call is told; None for one that ran."""
    if not answer.get("isError"):
        return None
    assert told(answer)["error"]["code"] == "TOOL_DESCRIPTION_REQUIRED"
    return told(answer)["tool_description"]


# --- advise -----------------------------------------------------------------------------------------------------------


def test_advice_comes_from_every_replica_alike(advised: Replicas) -> None:
    for era in advised.sample.eras:
        with advised.balanced(era) as (opened, chosen):
            full = definition(opened, advised.good[0])
            runs = [opened.call_tool(*advised.good) for _ in advised.ports]
            failures: list[Any] = [opened.call_tool(*advised.bad) for _ in advised.ports]
            assert set(chosen[-REPLICAS:]) == set(advised.ports)
        assert not any(answer.get("isError") for answer in runs)
        assert all(answer["isError"] for answer in failures)
        said = [json.loads(answer["content"][-1]["text"]) for answer in failures]
        assert said == [{advised.good[0]: full}] * REPLICAS


# --- receipts ---------------------------------------------------------------------------------------------------------


def test_a_receipt_of_one_replica_is_taken_by_every_other(receipted: Replicas) -> None:
    tool, good = receipted.good
    for era in receipted.sample.eras:
        with receipted.balanced(era) as (opened, chosen):
            refused = [opened.call_tool(tool, good) for _ in receipted.ports]
            full, bridge = definition(opened, tool), str(opened.list_tools()[-1]["name"])
            assert served(opened.call_tool(bridge, {"names": [tool]}))[tool] == full
            token = token_of(full)
            runs = [opened.call_tool(tool, {**good, "description_receipt": token}) for _ in receipted.ports]
            assert set(chosen[-REPLICAS:]) == set(receipted.ports)
        assert [refusal(answer) for answer in refused] == [full] * REPLICAS
        assert [refusal(answer) for answer in runs] == [None] * REPLICAS


def test_a_receipt_of_an_older_text_is_refused_with_the_new_text_in_hand(receipted: Replicas) -> None:
    tool, good = receipted.good
    for era in receipted.sample.eras:
        with receipted.balanced(era) as (opened, _):
            old = token_of(definition(opened, tool))
            receipted.edit(f"new in {era}")
            answers = [opened.call_tool(tool, {**good, "description_receipt": old}) for _ in receipted.ports]
            texts = [refusal(answer) for answer in answers]
            assert texts == [definition(opened, tool)] * REPLICAS
            assert texts[0]["usage_guidance"] == {"notes": [f"new in {era}"]}
            new = token_of(texts[0])
            assert new != old
            runs = [opened.call_tool(tool, {**good, "description_receipt": new}) for _ in receipted.ports]
        assert [refusal(answer) for answer in runs] == [None] * REPLICAS
