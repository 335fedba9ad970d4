"""The benchmark of public query sets: what counts as found, and what an interval is."""

from __future__ import annotations

from benchmarks.findability import hit, interval


def test_a_tie_counts_as_the_chance_to_be_among_the_first() -> None:
    assert hit([3.0, 1.0, 2.0], [0], 1) == 1.0
    assert hit([3.0, 1.0, 2.0], [1, 2], 1) == 0.0
    assert hit([1.0, 1.0, 1.0, 1.0], [2], 1) == 0.25
    assert hit([0.0, 0.0], [0], 5) == 0.0, "what nothing matches is not found"


def test_an_interval_holds_the_difference_and_is_the_same_every_time() -> None:
    one, other = [1.0] * 60 + [0.0] * 40, [1.0] * 50 + [0.0] * 50
    low, high = interval(one, other)
    assert 0 < low < 0.1 < high
    assert interval(one, other) == (low, high)
    assert interval(one, one) == (0.0, 0.0)
