"""What reports count as the answers of a migrated server is, to the letter, what it answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

import pytest

from pdmigrate.audit.tokens import counter
from pdmigrate.live.wire import Session, StdioTarget, connect
from pdmigrate.model import JsonObject
from pdmigrate.runtime.guidance import describing_tool, description_text, fetch_uri, refusal_text, with_guidance
from pdmigrate.runtime.render import bridge_name
from tests.runtime import samples
from tests.runtime.samples import SAMPLES
from tests.support.command_line import pdmigrate
from tests.support.environments import ROOT

NAMES = ("mcp1_lowlevel", "mcp1_fastmcp", "fastmcp3", "mcp2_lowlevel")
"""Of fastmcp 3 the examples and errors stand in docstrings alone, and are in no listing."""


@pytest.fixture(scope="module", params=NAMES)
def target(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> StdioTarget:
    """The command of a sample that was migrated, all of its tools."""
    sample = SAMPLES[request.param]
    return StdioTarget(sample.command(sample.migrated(tmp_path_factory.mktemp("served") / sample.name)))


def listed(target: StdioTarget, **variables: str) -> tuple[Session, list[JsonObject]]:
    with connect(StdioTarget(target.command, env=variables), timeout=60) as session:
        session.initialize()
        return session, session.list_tools()


@pytest.fixture(scope="module")
def full(target: StdioTarget) -> list[JsonObject]:
    """The definitions, as the same server lists them with the switch off."""
    return listed(target, PROGRESSIVE_DISCLOSURE="off")[1]


def text(answer: JsonObject, where: str) -> str:
    (part,) = answer[where]
    return str(part["text"])


@pytest.fixture
def session(target: StdioTarget) -> Iterator[Session]:
    with samples.session(target) as opened:
        yield opened


def test_what_is_counted_is_what_is_sent(target: StdioTarget, session: Session, full: list[JsonObject]) -> None:
    assert len(full) > 1
    names, bridge = [str(tool["name"]) for tool in full], bridge_name(session.server["serverInfo"]["name"])
    assert session.list_tools()[-1] == describing_tool(bridge, names)
    said = str(session.server["instructions"])
    # The example is one of the tools that are always listed.
    guidance = {with_guidance(None, fetch_uri(name), f", or call {bridge}") for name in names}
    assert any(said.endswith(one) for one in guidance if one is not None), said
    for tool in full:
        name = str(tool["name"])
        path = Path(target.command[-1]).parent / "tool_descriptions" / f"{name}.json"
        file = json.loads(path.read_text("utf-8")) if path.exists() else {}
        words = {key: file[key] for key in ("examples", "usage_guidance", "error_guidance") if file.get(key)}
        refused = session.call_tool(name)
        assert refused["isError"] is True
        assert text(refused, "content") == refusal_text(tool, words)
        assert text(session.read_resource(fetch_uri(name)), "contents") == description_text(tool, words)


def test_an_audit_of_source_tells_what_the_wire_then_shows(
    target: StdioTarget, session: Session, full: list[JsonObject]
) -> None:
    """Listings and fetches counted again, from what the servers send and without the code of the audit."""
    sample = ROOT / "sample_servers" / target.command[-1].split("/")[-2]
    (audit,) = json.loads(pdmigrate("audit", sample, "--format", "json").stdout)["servers"]
    stubs = session.list_tools()
    off, _ = listed(target, PROGRESSIVE_DISCLOSURE="off")
    said, own = str(session.server["instructions"]), off.server.get("instructions")
    guidance = said.removeprefix(f"{own}\n\n") if own else said
    named = {tool["name"]: tool for tool in audit["tools"]}
    fetched = [counter().count(text(session.read_resource(fetch_uri(str(tool["name"]))), "contents")) for tool in full]
    assert {str(tool["name"]): seen(tool) for tool in full} == {
        tool["name"]: named[tool["name"]]["now"] for tool in full
    }
    assert [seen(tool) for tool in stubs[:-1]] == [named[tool["name"]]["after"] for tool in stubs[:-1]]
    if len(named) == len(full):  # else there are tools that this user does not see
        assert audit["tokens"]["now"] == sum(map(seen, full))
        assert audit["tokens"]["after"] == sum(map(seen, stubs)) + counter().count(guidance)
        assert audit["description_cost"] == round(fmean(fetched))


def seen(tool: JsonObject) -> int:
    """The tokens of what a model sees of a listed tool."""
    shown = {key: tool[key] for key in ("name", "description", "inputSchema") if key in tool}
    return counter().count(json.dumps(shown, ensure_ascii=False, separators=(",", ":")))
