"""Budgets of tokens, and the difference from an earlier audit."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pdmigrate.audit import Audit, Catalogue, audited
from pdmigrate.audit.budget import ADDED, Change, Earlier, budget, compared, earlier, listed
from pdmigrate.audit.verdict import decide
from pdmigrate.errors import UsageError
from pdmigrate.model import Site
from pdmigrate.report.audit import Judged, audit_json
from tests.audit.listings import Characters, tool


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
    ("by file where the name changed", [("new", "a.py"), ("b", "b.py")], [("b", "b.py"), ("old", "a.py")], [1, 0]),
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
