"""The sample servers asked over stdio and HTTP: what source claims is what they list, migrated or not."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.samples import among_samples
from tests.support.command_line import pdmigrate
from tests.support.environments import MCP1, MCP2, ROOT
from tests.support.running import serving

SAMPLES = {"mcp1_lowlevel": (MCP1, "1.30.0"), "mcp2_lowlevel": (MCP2, "2.3.0")}
ONLY_NOTES = {"PD330", "PD331", "PD332", "PD333", "PD335"}


def copied(folder: Path, name: str) -> Path:
    target = folder / name
    shutil.copytree(ROOT / "sample_servers" / name, target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


def command(name: str) -> list[str]:
    pins, _ = SAMPLES[name]
    return ["--live", shlex.join(among_samples(pins, "server.py"))]


def versions(name: str) -> list[str]:
    return ["--sdk", f"mcp=={SAMPLES[name][1]}", "--sdk", "pydantic==2.14.3"]


def extracted(root: Path, *arguments: str) -> Any:
    ran = pdmigrate("extract", root, "--no-write", "--format", "json", *arguments)
    assert ran.status == 0, ran.stderr
    (server,) = json.loads(ran.stdout)["servers"]
    return server


@pytest.mark.parametrize("name", SAMPLES)
def test_source_and_wire_agree_about_a_sample(tmp_path: Path, name: str) -> None:
    root = copied(tmp_path, name)
    server = extracted(root, *versions(name), *command(name))
    assert server["tools"]
    assert not unconfirmed(server)


def unconfirmed(server: Any) -> list[str]:
    """The tools that are always listed, and of which source and wire do not say the same."""
    always = [tool for tool in server["tools"] if tool["conditional"] is None]
    assert len(always) > 1
    return [tool["definition"]["name"] for tool in always if set(tool.get("basis", {"": ""}).values()) != {"both"}]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_migrated_sample_lists_what_its_files_say(tmp_path: Path, name: str) -> None:
    root = copied(tmp_path, name)
    applied = pdmigrate("apply", "--all", root, "--write", "--allow-dirty", *versions(name))
    assert applied.status == 0, applied.stderr
    ran = pdmigrate("apply", "--all", root, "--check", "--format", "json", *versions(name), *command(name))
    report = json.loads(ran.stdout)
    assert (ran.status, report["changes"]) == (0, [])
    assert not {found["code"] for found in report["findings"]} & ONLY_NOTES


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """The mcp 2.x sample over streamable HTTP."""
    with serving(among_samples(MCP2, str(copied(tmp_path, "mcp2_lowlevel") / "server.py"))) as (port,):
        yield f"http://127.0.0.1:{port}/mcp"


def test_a_sample_is_asked_over_http(tmp_path: Path, url: str) -> None:
    root = tmp_path / "mcp2_lowlevel"
    server = extracted(root, *versions("mcp2_lowlevel"), "--url", url)
    assert not unconfirmed(server)
