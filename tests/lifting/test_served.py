"""What the resource of a migrated server says of guidance: what a fetch brings, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pdmigrate.live.wire import StdioTarget
from tests.runtime.harness import served
from tests.runtime.samples import SAMPLES, session

EMPTY: dict[str, Any] = {"examples": [], "usage_guidance": {}, "error_guidance": {}}


def test_the_resource_shows_the_wrong_address_and_names_what_a_fetch_brings(tmp_path: Path) -> None:
    sample = SAMPLES["mcp1_lowlevel"]
    folder = sample.migrated(tmp_path / "server")

    def described() -> str:
        with session(StdioTarget(sample.command(folder))) as opened:
            return str(opened.listed("resources/list")[0]["description"])

    text = described()
    assert "HOW to call the tool: its parameters, and examples and advice where there are any.\n" in text
    assert "you CANNOT call a tool before its fetch" in text
    assert "WRONG: resource:///tool_descriptions (without ?tools=)" in text
    assert len(text) < 700
    for path in (folder / "tool_descriptions").glob("*.json"):
        content = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**content, **EMPTY}), encoding="utf-8")
    assert described() == text  # the list is the same for every session, whatever the files hold
    with session(StdioTarget(sample.command(folder))) as opened:
        name = sample.good[0]
        full = served(opened.read_resource(f"resource:///tool_descriptions?tools={name}"))[name]
        assert not full.keys() & EMPTY.keys()
