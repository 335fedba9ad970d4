"""Frameworks that behave differently, each on a server before its migration and after it.

``python -m benchmarks.hosts`` does the same with all of them, on all samples and on published servers.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.hosts.frameworks import FRAMEWORKS, WITHOUT
from benchmarks.hosts.judging import judge
from benchmarks.hosts.running import drive
from benchmarks.hosts.servers import ODD, SERVERS
from benchmarks.hosts.staging import stage
from tests.runtime.nurseries import planted
from tests.support import npm

NAMED = {framework.name: framework for framework in FRAMEWORKS}
SAMPLES = {server.name: server for server in (*SERVERS, *ODD)}
ALWAYS = {"list", "first call", "fetch", "required only", "session"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("framework", "server", "checks"),
    [
        pytest.param("mcp1", "mcp1_lowlevel", {*ALWAYS, "nulls", "grant"}, id="a client of mcp 1.x"),
        pytest.param("mcp2-2026", "mcp2_mcpserver", {*ALWAYS, "grant"}, id="a client without handshake"),
        pytest.param("pydantic-ai", "fastmcp3", {*ALWAYS, "nulls", "grant"}, id="a list that changes"),
        pytest.param("openai-agents-strict", "mcp1_fastmcp", {*ALWAYS, "nulls", "grant"}, id="strict schemas"),
        pytest.param("mcp-use", "mcp1_lowlevel", {*ALWAYS, "nulls", "grant"}, id="models of the arguments"),
        pytest.param("langchain-get-tools", "mcp1_lowlevel", {*ALWAYS, "nulls"}, id="a session for each call"),
        pytest.param("typescript", "mcp2_mcpserver", {*ALWAYS, "grant"}, id="a client that validates errors"),
        pytest.param("pydantic-ai-filtered", "fastmcp3", {*ALWAYS, "nulls", "grant"}, id="without the bridge"),
        pytest.param("openai-agents-two", "unnamed", {*ALWAYS, "grant"}, id="two servers without a name"),
        pytest.param("mcp1-workers", "unnamed", ALWAYS, id="two workers, without sessions"),
    ],
)
def test_all_is_as_before(tmp_path: Path, framework: str, server: str, checks: set[str]) -> None:
    host, sample = NAMED[framework], SAMPLES[server]
    if host.driver.endswith(".mjs") and (reason := npm.missing()) is not None:
        pytest.skip(reason)
    # Workers are processes that the interpreter starts, so that has to be one of its own.
    staged = stage(sample, tmp_path, () if host.session == WITHOUT else planted(sample.pins))
    before, after = (drive(host, staged, migrated=migrated) for migrated in (False, True))
    verdict = judge(host, staged.server, before, after)
    assert verdict.problems == {}
    assert set(verdict.checks) == checks
