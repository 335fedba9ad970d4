"""Token counts: the estimate against exact counts recorded with the o200k_base vocabulary."""

from __future__ import annotations

import importlib.util
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdmigrate.audit import tokens
from pdmigrate.audit.tokens import Estimate, Exact, seen_tokens
from tests.audit.listings import Characters

TOOL: dict[str, Any] = {
    "name": "search_orders",
    "description": "Search the orders of a customer by status and date. Returns at most `limit` orders, newest first.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "customer_id": {"type": "string", "description": "The customer's identifier, e.g. C-10042"},
            "status": {"type": "string", "enum": ["open", "shipped", "cancelled"], "default": "open"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 500, "default": 50},
        },
        "required": ["customer_id"],
        "additionalProperties": False,
    },
    "annotations": {"readOnlyHint": True, "openWorldHint": False},
}
PROSE = (
    "Use this tool when the user asks about a delivery that has not arrived. Do not use it for refunds: those are\n"
    "handled by `create_refund`, which needs a reason.\n\n    Args:\n        order_id: the number on the invoice\n"
    "        verbose: whether to list every parcel (default: false)\n"
)

# name: (text, tokens of o200k_base as counted by splintr-rs 0.22)
TEXTS = {
    "one tool as compact JSON": (json.dumps(TOOL, separators=(",", ":")), 127),
    "a listing of twenty": (
        json.dumps([TOOL | {"name": f"search_{i}"} for i in range(20)], separators=(",", ":")),
        2562,
    ),
    "indented prose": (PROSE, 63),
    "a long identifier": ("getUserAccountSettingsByOrganizationID snake_case_with_many_parts HTTPResponseCode", 15),
    "Chinese": ("获取指定文件夹中所有文件的列表，并返回其内容和元数据。当需要查找文档时使用此工具。" * 3, 81),
    "Russian": ("Получить список всех файлов в указанной папке и вернуть их содержимое с метаданными. " * 3, 61),
}
ALLOWED = {"a long identifier": 0.2, "Chinese": 0.25, "Russian": 1.0}


@pytest.mark.parametrize("name", TEXTS)
def test_the_estimate_is_near_the_recorded_exact_count(name: str) -> None:
    text, exact = TEXTS[name]
    assert Estimate().count(text) == pytest.approx(exact, rel=ALLOWED.get(name, 0.07))


@given(st.text())
def test_every_text_has_a_count_and_only_the_empty_one_costs_nothing(text: str) -> None:
    assert (Estimate().count(text) > 0) == bool(text)


@given(st.text(st.characters(codec="ascii")), st.text(st.characters(codec="ascii")))
def test_more_text_never_costs_clearly_less(text: str, more: str) -> None:
    # Not exactly monotone: the letters that follow can join the last piece, as they join the last token.
    assert Estimate().count(text + " " + more) >= Estimate().count(text) - 1


def test_a_tool_is_counted_by_what_a_model_sees_as_compact_json_with_its_letters_as_they_are() -> None:
    tool = {"annotations": {"title": "Ü"}, "inputSchema": {}, "name": "ü"}
    assert seen_tokens(tool, Characters()) == len('{"name":"ü","inputSchema":{}}')


def test_the_report_can_tell_an_estimate_from_a_count() -> None:
    exact = importlib.util.find_spec("splintr") is not None
    assert tokens.counter().name == ("o200k" if exact else "o200k, estimated")


def test_exact_counts_need_the_extra_or_are_exact() -> None:
    if importlib.util.find_spec("splintr") is None:
        with pytest.raises(ImportError):
            Exact()
        return
    for text, exact in TEXTS.values():
        assert Exact().count(text) == exact
    assert Exact().count("hello <|endoftext|>") == 8
