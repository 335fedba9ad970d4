"""Room for nested calls: what is called in it asks the operating system for no memory again and again."""

from __future__ import annotations

import sys

import pytest

from pdmigrate.cli import with_room

resource = pytest.importorskip("resource", reason="counts of page faults are those of POSIX")

DEPTHS = 400
"""Calls within each other: more than fit into one of the pieces that CPython has frames in by itself."""
TURNS = 200


def _turns_at(depth: int) -> int:
    """Many short calls, that many calls deep; ``map`` makes each of them a call from C."""
    return _turns_at(depth - 1) if depth else sum(map(_leaf, range(TURNS)))


def _leaf(value: int) -> int:
    return value


def _faults() -> int:
    """The page faults of such turns at all depths."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for depth in range(DEPTHS):
        _turns_at(depth)
    return int(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)


@pytest.mark.skipif(
    sys.implementation.name != "cpython" or sys.version_info < (3, 11), reason="frames are objects of their own there"
)
def test_no_loop_asks_for_a_new_piece_in_every_turn() -> None:
    with_room(_faults)
    assert with_room(_faults) < TURNS
