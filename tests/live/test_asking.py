"""Asking servers in either revision of the protocol, and what is handed to them."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pdmigrate.live.asking import ask
from pdmigrate.live.wire import RpcError, StdioTarget

SCRIPTED = Path(__file__).parents[1] / "wire" / "raw_server.py"
TOOLS = [{"name": name, "inputSchema": {"type": "object"}} for name in "abcde"]


def scripted(folder: Path, *behaviour: str) -> StdioTarget:
    file = folder / "tools.json"
    file.write_text(json.dumps(TOOLS), encoding="utf-8")
    return StdioTarget((sys.executable, str(SCRIPTED), str(file), *behaviour))


@pytest.mark.parametrize("behaviour", [(), ("new",)], ids=["with a handshake", "without"])
def test_all_pages_come_with_who_answered(tmp_path: Path, behaviour: tuple[str, ...]) -> None:
    witness = ask(scripted(tmp_path, *behaviour), timeout=20)
    assert (list(witness.tools), witness.name) == (TOOLS, "anything")


@pytest.mark.parametrize(
    ("given", "seen"), [({"EXTRA": "given"}, "off given"), ({"PROGRESSIVE_DISCLOSURE": "enforce"}, "enforce None")]
)
def test_a_server_is_started_where_and_as_it_is_told(tmp_path: Path, given: dict[str, str], seen: str) -> None:
    target = replace(scripted(tmp_path, "env"), env=given, cwd=tmp_path)
    assert ask(target, timeout=20).tools[0]["description"] == f"{seen} {tmp_path}"


def test_a_server_that_refuses_both_ways_is_quoted_on_the_first(tmp_path: Path) -> None:
    with pytest.raises(RpcError, match="answers initialize with error -32601"):
        ask(scripted(tmp_path, "refuses"), timeout=20)
