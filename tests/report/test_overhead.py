"""What the bridge adds to the listing, read from modules as they are really rendered."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from pdmigrate.model import Fate, FileChange, FileKind, Outcome, Plan
from pdmigrate.render import ModuleSpec, render_module
from pdmigrate.report.accounting import accounting_text
from pdmigrate.report.overhead import bridge_tokens, bridge_tool, guidance, guidance_tokens
from pdmigrate.tokens import Estimate

SPEC = ModuleSpec(
    adapter="mcp1", server_name="Loans desk", descriptions="tool_descriptions", moved=(), example_tool="a"
)
NAMES = ["find_copies", "renew_loan"]


def module(**changes: Any) -> bytes:
    return render_module(dataclasses.replace(SPEC, **changes)).encode()


def plan(*modules: bytes) -> Plan:
    changes = [FileChange(f"{n}.py", None, raw, FileKind.MODULE, "x") for n, raw in enumerate(modules)]
    return Plan(tuple(changes), tuple(Outcome("s", name, Fate.STUBBED, "", 300, 100) for name in NAMES))


def test_the_bridge_is_the_tool_that_the_module_will_list() -> None:
    bridge: Any = bridge_tool(module(), NAMES)
    assert bridge["name"] == "loans_desk_describe_tools"
    assert bridge["inputSchema"]["properties"]["names"]["items"]["enum"] == NAMES
    assert bridge["annotations"]["readOnlyHint"] is True


@pytest.mark.parametrize("name", [None, "Größe & Länge"])
def test_a_bridge_has_a_name_of_about_the_right_length_whatever_the_server_is_called(name: str | None) -> None:
    bridge: Any = bridge_tool(module(server_name=name), NAMES)
    assert bridge["name"].endswith("describe_tools")


def test_a_module_without_a_bridge_adds_nothing() -> None:
    assert bridge_tool(module(bridge=False), NAMES) is None
    assert bridge_tokens(plan(module(bridge=False)), Estimate()) == 0
    assert bridge_tokens(plan(), Estimate()) == 0


def test_every_bridge_is_counted_and_every_name_once() -> None:
    one, two = bridge_tokens(plan(module()), Estimate()), bridge_tokens(plan(module(), module()), Estimate())
    assert 60 < one < two < 2 * one


def test_guidance_is_what_the_module_puts_behind_the_instructions() -> None:
    with_bridge, without = guidance(module()), guidance(module(bridge=False))
    assert (
        "resource:///tool_descriptions?tools=a (commas between names), or call loans_desk_describe_tools."
        in with_bridge
    )
    assert "resource:///tool_descriptions?tools=a (commas between names)." in without
    assert 0 < guidance_tokens(plan(module(bridge=False)), Estimate()) < guidance_tokens(plan(module()), Estimate())
    assert guidance_tokens(plan(), Estimate()) == 0


def test_the_total_of_a_report_counts_the_bridge_and_the_guidance() -> None:
    bridge, words = bridge_tokens(plan(module()), Estimate()), guidance_tokens(plan(module()), Estimate())
    said = accounting_text(plan(module()), Estimate())
    parts = f"{bridge} for the tool that returns the descriptions and {words} for guidance in the instructions"
    assert f"600 -> {200 + bridge + words}, of them {parts} (-" in said
