"""The pure parts of the conformance benchmark: what counts as worse, and what the table says of it."""

from __future__ import annotations

from benchmarks.conformance import Row, Verdicts, counted, differences, table

OLD: Verdicts = {
    ("ping", "ping"): ("SUCCESS", ""),
    ("tools-list", "names"): ("SUCCESS", ""),
    ("tools-list", "schemas"): ("FAILURE", "none"),
    ("sse", "retry"): ("WARNING", "late"),
}
NEW: Verdicts = {
    ("ping", "ping"): ("SUCCESS", ""),
    ("tools-list", "names"): ("FAILURE", "a name is missing"),
    ("tools-list", "schemas"): ("SUCCESS", ""),
    ("extra", "more"): ("SUCCESS", ""),
}


def test_every_verdict_that_is_not_the_same_is_found_and_only_worse_ones_are_named() -> None:
    found = list(differences(OLD, NEW))
    assert [(d.scenario, d.check, d.before, d.after, d.is_worse) for d in found] == [
        ("tools-list", "names", "SUCCESS", "FAILURE", True),
        ("tools-list", "schemas", "FAILURE", "SUCCESS", False),
        ("sse", "retry", "WARNING", None, False),
        ("extra", "more", None, "SUCCESS", False),
    ]
    row = Row("mcp==1.30.0", "active", counted(OLD), counted(NEW), tuple(found))
    assert table([row]).splitlines()[-1] == (
        "| mcp==1.30.0 | active | 2 passed, 1 failed, 1 warned | 3 passed, 1 failed | `names` |"
    )
