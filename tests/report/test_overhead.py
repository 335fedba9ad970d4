"""What the bridge and the guidance add, read from what is really written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pdmigrate.model import Fate, FileChange, FileKind, Outcome, Plan
from pdmigrate.render import ModuleSpec, render_module
from pdmigrate.report.accounting import accounting_text
from pdmigrate.report.overhead import bridge_tokens, guidance, guidance_tokens
from pdmigrate.tokens import Estimate

NAMES = ["find_copies", "renew_loan"]
DESK: dict[str, Any] = {"server": "Loans desk", "example": "a"}


def plan(*servers: dict[str, Any], bridge: bool = True) -> Plan:
    """A plan for servers that share a module."""
    module = render_module(ModuleSpec("mcp1", bridge=bridge, several=True)).encode()
    changes = [
        FileChange(f"{number}/_server.json", None, json.dumps(about).encode(), FileKind.SERVER, "x")
        for number, about in enumerate(servers)
    ]
    changes += [FileChange("progressive_disclosure.py", None, module, FileKind.MODULE, "x")] if servers else []
    return Plan(tuple(changes), tuple(Outcome("s", name, Fate.STUBBED, "", 300, 100) for name in NAMES))


def test_a_module_without_a_bridge_adds_nothing_to_the_listing() -> None:
    assert bridge_tokens(plan(DESK, bridge=False), Estimate()) == 0
    assert bridge_tokens(plan(), Estimate()) == 0


def test_every_bridge_is_counted_and_every_name_once() -> None:
    one, two = bridge_tokens(plan(DESK), Estimate()), bridge_tokens(plan(DESK, DESK), Estimate())
    assert 60 < one < two < 2 * one


@pytest.mark.parametrize("name", [None, "Größe & Länge"])
def test_a_bridge_has_a_name_of_about_the_right_length_whatever_the_server_is_called(name: str | None) -> None:
    known, other = (bridge_tokens(plan({**DESK, "server": each}), Estimate()) for each in ("server", name))
    assert abs(known - other) < 10


def test_guidance_is_what_the_module_puts_behind_the_instructions() -> None:
    fetch = "resource:///tool_descriptions?tools=a (commas between names)"
    assert f"{fetch}, or call loans_desk_describe_tools." in guidance(DESK, bridge=True)
    assert f"{fetch}." in guidance(DESK, bridge=False)
    assert "tools=a%20b%2Cc (" in guidance({**DESK, "example": "a b,c"}, bridge=False)
    with_bridge, without = (guidance_tokens(plan(DESK, bridge=bridge), Estimate()) for bridge in (True, False))
    assert 0 < without < with_bridge
    assert guidance_tokens(plan(), Estimate()) == 0


def test_the_total_of_a_report_counts_the_bridge_and_the_guidance() -> None:
    bridge, words = bridge_tokens(plan(DESK), Estimate()), guidance_tokens(plan(DESK), Estimate())
    said = accounting_text(plan(DESK), Estimate())
    parts = f"{bridge} for the tool that returns the descriptions and {words} for guidance in the instructions"
    assert f"600 -> {200 + bridge + words}, of them {parts} (-" in said
