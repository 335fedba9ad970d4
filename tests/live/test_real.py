"""The sample servers asked over stdio and HTTP: what source claims is what they list, migrated or not."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.nurseries import planted
from tests.runtime.samples import SAMPLES
from tests.support.command_line import pdmigrate
from tests.support.running import serving

NAMES = ("mcp1_lowlevel", "mcp2_lowlevel")
ONLY_NOTES = {"PD330", "PD331", "PD332", "PD333", "PD335"}


def command(name: str) -> list[str]:
    return ["--live", shlex.join(planted(SAMPLES[name].pins, "server.py"))]


def versions(name: str) -> list[str]:
    return [word for pin in SAMPLES[name].pins if "==" in pin for word in ("--sdk", pin)]


def extracted(root: Path, *arguments: str) -> Any:
    ran = pdmigrate("extract", root, "--no-write", "--format", "json", *arguments)
    assert ran.status == 0, ran.stderr
    (server,) = json.loads(ran.stdout)["servers"]
    return server


def unconfirmed(server: Any) -> list[str]:
    """The tools that are always listed, and of which source and wire do not say the same."""
    always = [tool for tool in server["tools"] if tool["conditional"] is None]
    assert len(always) > 1
    return [tool["definition"]["name"] for tool in always if set(tool.get("basis", {"": ""}).values()) != {"both"}]


@pytest.mark.parametrize("name", NAMES)
def test_a_migrated_sample_lists_what_its_files_say(tmp_path: Path, name: str) -> None:
    root = SAMPLES[name].copied(tmp_path / name)
    applied = pdmigrate("apply", "--all", root, "--write", "--allow-dirty", *versions(name))
    assert applied.status == 0, applied.stderr
    ran = pdmigrate("apply", "--all", root, "--check", "--format", "json", *versions(name), *command(name))
    report = json.loads(ran.stdout)
    assert (ran.status, report["changes"]) == (0, [])
    assert not {found["code"] for found in report["findings"]} & ONLY_NOTES


def test_a_sample_is_asked_over_http(tmp_path: Path) -> None:
    sample = SAMPLES["mcp2_lowlevel"]
    root = sample.copied(tmp_path / sample.name)
    with serving(sample.command(root)) as (port,):
        assert not unconfirmed(extracted(root, *versions(sample.name), "--url", f"http://127.0.0.1:{port}/mcp"))
