"""The figures of an audit, recomputed here from their definitions, and the forms in which a saved listing may come."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pdmigrate.audit import Audit, Catalogue, audited, from_listing
from pdmigrate.audit.budget import ADDED, Change, Earlier, budget, compared, earlier, listed
from pdmigrate.audit.tokens import NAMELESS, overhead
from pdmigrate.audit.verdict import decide
from pdmigrate.errors import UsageError
from pdmigrate.model import Fate, Outcome, Overhead, Plan, Site
from pdmigrate.report.audit import Judged, audit_json
from pdmigrate.report.plans import accounting_text
from pdmigrate.runtime.guidance import describing_tool, description_text, refusal_text, with_guidance
from pdmigrate.runtime.stubs import stub_schema
from tests.audit.listings import Characters, compact, heavy, light, tool


def audit_of(*tools: dict[str, Any], name: str = "notes", **options: Any) -> Audit:
    return audited(Catalogue(name, tools), Characters(), **options)


def test_a_tool_counts_by_what_a_model_sees_of_it() -> None:
    shown = tool("edit")
    hidden = {"outputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}, "_meta": {"x": "y" * 99}}
    plain, whole = audit_of(shown), audit_of({**shown, **hidden})
    assert plain.tools[0].now == len(compact(shown)) == whole.tools[0].now
    assert whole.output_schemas == len('{"type":"object"}')
    # All that is served with the definition is paid for when it is fetched.
    assert whole.description_cost == len(description_text({**shown, **hidden})) > plain.description_cost


@pytest.mark.parametrize("kind", ["skeleton", "open", "full"])
def test_the_listing_after_is_that_of_the_stubs_with_bridge_and_guidance(kind: str) -> None:
    one, two = tool("edit"), tool("find", parameters=0)
    audit = audit_of(one, two, kind=kind)
    for full, cost in zip((one, two), audit.tools, strict=True):
        stub = {**full, "inputSchema": stub_schema(kind, full["inputSchema"])}
        shortest, longest = compact({**stub, "description": ""}), compact(stub)
        assert len(shortest) < cost.after <= len(longest)
    bridge = describing_tool("notes_describe_tools", ["edit", "find"])
    seen = {key: bridge[key] for key in ("name", "description", "inputSchema")}
    assert audit.bridge == len(compact(seen))
    sentences = with_guidance(None, "resource:///tool_descriptions?tools=edit", ", or call notes_describe_tools")
    assert audit.guidance == len(sentences or "")
    assert audit.after == sum(cost.after for cost in audit.tools) + audit.bridge + audit.guidance


def test_a_refusal_is_counted_with_the_description_that_it_brings() -> None:
    audit = audit_of(*heavy(3), bridge=False)
    assert audit.bridge == 0
    assert audit.delivered_cost == audit.tools[0].refused == len(refusal_text(heavy(3)[0]))
    assert audit.refusal_cost == audit.delivered_cost - audit.description_cost


def test_the_break_even_is_the_gain_over_the_price_of_one_more_tool() -> None:
    audit = audit_of(*heavy(20))
    gain = audit.now - audit.after
    assert gain > 0
    assert audit.break_even_at_once == pytest.approx(gain / audit.description_cost)
    assert audit.break_even_refused_first == pytest.approx(gain / (audit.description_cost + audit.refusal_cost))
    for described, sign in ((int(audit.break_even_at_once or 0), -1), (int(audit.break_even_at_once or 0) + 1, 1)):
        change = audit.after + described * audit.description_cost - audit.now
        assert change * sign > 0
    assert audit_of(*light(2)).break_even_at_once == 0


def test_the_curve_is_the_change_with_so_many_descriptions() -> None:
    audit = audit_of(*heavy(6))
    now, after, fetched, refused = audit.now, audit.after, audit.description_cost, audit.refusal_cost
    points = {point.described: point for point in audit.curve()}
    assert list(points) == [1, 2, 3, 5, 6]
    for described, point in points.items():
        assert point.at_once == pytest.approx((after + described * fetched) / now - 1)
        assert point.refused_first == pytest.approx((after + described * (fetched + refused)) / now - 1)


@pytest.mark.parametrize(
    ("tools", "word", "taken"),
    [
        # the one description of one heavy tool is fetched in every session
        *((tools, "not-worth-it", 0) for tools in ([], light(1), heavy(1), heavy(3), light(30))),
        (heavy(20), "migrate", 20),
        ([*heavy(4), *light(30)], "some", 4),
    ],
)
def test_the_verdict_follows_what_a_session_saves(tools: list[dict[str, Any]], word: str, taken: int) -> None:
    verdict = decide(audit_of(*tools))
    assert verdict.word == word
    assert len(verdict.take) == taken
    assert all(name.startswith("tool_") for name in verdict.take)
    assert (verdict.saved > 0) or word == "not-worth-it"


def test_who_uses_more_tools_saves_less() -> None:
    audit = audit_of(*heavy(20))
    saved = [decide(audit, uses).saved for uses in (1, 3, 10, 20)]
    assert saved == sorted(saved, reverse=True)
    assert decide(audit, 20).word == "not-worth-it"
    assert "uses 10 of 20 tools" in decide(audit, 10).reason


@pytest.mark.parametrize(
    ("tools", "word"), [([], "unknown"), (light(3), "unknown"), (heavy(20), "migrate")], ids=["none", "light", "heavy"]
)
@pytest.mark.parametrize("gap", [{"uncounted": ("other",)}, {"incomplete": "a loop is not followed"}], ids=list)
def test_what_source_does_not_settle_may_weigh_anything(
    tools: list[dict[str, Any]], word: str, gap: dict[str, Any]
) -> None:
    verdict = decide(audited(Catalogue("notes", tuple(tools), **gap), Characters()))
    assert verdict.word == word
    assert ("--live" in verdict.reason) is (word == "unknown")


NAMES = ("find_copies", "renew_loan")


@pytest.mark.parametrize("name", ["desk", "Größe & Länge"])
def test_a_server_that_is_named_later_is_taken_to_have_a_name_of_about_that_length(name: str) -> None:
    known, other = (overhead(each, NAMES, Characters(), bridge=True) for each in (NAMELESS, name))
    assert abs(known.bridge - other.bridge) < 10


def test_the_total_of_a_report_counts_the_bridge_and_the_guidance() -> None:
    outcomes = tuple(Outcome("desk", name, Fate.STUBBED, "", 300, 100) for name in NAMES)
    said = accounting_text(Plan((), outcomes, overhead=Overhead(70, 50)), Characters())
    assert "600 -> 320, including 70 for the describe_tools tool and 50 for added instructions " in said
    assert "desk  600" not in said


@pytest.mark.parametrize(("length", "guided"), [(0, True), (1_500, True), (2_000, False)])
def test_instructions_as_long_as_clients_read_get_no_guidance(length: int, guided: bool) -> None:
    added = overhead("desk", NAMES, Characters(), bridge=True, instructions="a" * length or None)
    assert (added.guidance > 0) is guided


TOOLS = [tool("edit"), tool("find")]
ABOUT = {"serverInfo": {"name": "notes", "version": "1"}, "instructions": "Edit with care."}


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (TOOLS, "saved"),
        ({"tools": TOOLS}, "saved"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"tools": TOOLS}}, "saved"),
        ({"initialize": ABOUT, "tools": TOOLS}, "notes"),
        ({"initialize": ABOUT, "tools/list": {"tools": TOOLS}}, "notes"),
    ],
)
def test_every_usual_form_is_the_same_catalogue(content: Any, name: str) -> None:
    catalogue = from_listing(json.dumps(content), "saved")
    assert (catalogue.name, list(catalogue.tools)) == (name, TOOLS)
    assert catalogue.instructions == ("Edit with care." if name == "notes" else None)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"tools": 3}', '["edit"]', '[{"name": 3}]'])
def test_what_is_no_listing_is_refused_with_the_form_that_is_wanted(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        from_listing(text, "saved")
    assert "listing" in refused.value.message
    assert '{"tools": [...]}' in refused.value.hint


def audit(name: str, *tools: dict[str, Any], file: str | None = None, **more: Any) -> Audit:
    site = None if file is None else Site(file, 1)
    return audited(Catalogue(name, tools, site, **more), Characters())


def saved(*audits: Audit) -> Earlier:
    """What was written about ``audits``, read again."""
    return earlier(json.dumps(audit_json([Judged(one, decide(one)) for one in audits], "o200k")))


def test_tools_that_cost_more_or_less_are_named_with_their_figures_the_largest_growth_first() -> None:
    before = audit("notes", tool("same"), tool("longer", sentences=1), tool("shorter", sentences=5), tool("gone"))
    now = audit("notes", tool("new"), tool("same"), tool("longer", sentences=2), tool("shorter", sentences=4))
    (comparison,) = compared([now], saved(before))
    counts, old = listed(now), listed(before)
    assert comparison.changes == (
        Change("new", None, counts["new"]),
        Change("longer", old["longer"], counts["longer"]),
        Change("shorter", old["shorter"], counts["shorter"]),
        Change("gone", old["gone"], None),
    )
    assert [change.name for change in comparison.grown] == ["new", "longer"]
    assert comparison.growth == sum(counts.values()) - sum(old.values()) == sum(c.growth for c in comparison.changes)


PAIRS = [
    ("by name and file", [("a", "x.py"), ("a", "y.py")], [("a", "y.py"), ("a", "x.py")], [1, 0]),
    ("by name where the file moved", [("a", "new.py"), ("b", "b.py")], [("b", "b.py"), ("a", "old.py")], [1, 0]),
    ("not by file alone", [("new", "a.py"), ("b", "b.py")], [("b", "b.py"), ("old", "a.py")], [None, 0]),
    ("one with one", [("new", None)], [("old", "a.py")], [0]),
    ("none", [("a", "a.py"), ("new", "n.py")], [("a", "a.py")], [0, None]),
    ("not by a name that is not the only one", [("a", "new.py")], [("a", "x.py"), ("a", "y.py")], [None]),
]


@pytest.mark.parametrize(("now", "before", "expected"), [row[1:] for row in PAIRS], ids=[row[0] for row in PAIRS])
def test_servers_are_recognised(
    now: list[tuple[str, str | None]], before: list[tuple[str, str | None]], expected: list[int | None]
) -> None:
    old = [audit(name, tool("t", sentences=2 + n), file=file) for n, (name, file) in enumerate(before)]
    comparisons = [*compared([audit(name, tool("t"), file=file) for name, file in now], saved(*old))]
    totals = [sum(listed(one).values()) for one in old]
    assert [one.before for one in comparisons] == [None if n is None else totals[n] for n in expected]


def test_a_migrated_server_is_held_to_what_it_lists_with_bridge_and_guidance() -> None:
    plain, migrated = audit("notes", tool("edit")), audit("notes", tool("edit"), migrated=True)
    assert sum(listed(plain).values()) == plain.now
    assert sum(listed(migrated).values()) == migrated.after
    (comparison,) = compared([migrated], saved(plain))
    assert [change.name for change in comparison.grown] == [ADDED]
    (same,) = compared([migrated], saved(migrated))
    assert same.changes == ()


@pytest.mark.parametrize(
    ("more", "spare", "kept"),
    [({}, 0, True), ({}, -1, False), ({"uncounted": ("other",)}, 99, False), ({"incomplete": "a loop"}, 99, False)],
)
def test_a_budget_is_kept_only_if_that_is_known(more: dict[str, Any], spare: int, kept: bool) -> None:
    one = audit("notes", tool("edit"), **more)
    asked = budget(one, one.now + spare)
    assert asked.kept is kept
    assert asked.over == max(0, -spare)


@pytest.mark.parametrize(
    "text",
    [
        *("no JSON", "[]", '{"version": 2, "servers": []}', '{"version": 1, "servers": {}}'),
        '{"version": 1, "servers": [{"tools": []}]}',
        '{"version": 1, "servers": [{"name": "a", "tools": [{"name": "t", "now": "3", "after": 1}]}]}',
    ],
)
def test_what_is_no_earlier_audit_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="the earlier audit"):
        earlier(text)
