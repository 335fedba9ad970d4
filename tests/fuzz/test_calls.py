"""Every function, method and operator with right and wrong arguments: what is known is what Python gives or raises."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from tests.fuzz.comparing import RealPrograms, Tally, take
from tests.fuzz.every_call import calls, program

PARTS = 8
BATCH = 50


@pytest.mark.parametrize("part", [pytest.param(n, marks=pytest.mark.slow if n % 2 else ()) for n in range(PARTS)])
def test_calls_give_and_raise_what_python_gives_and_raises(part: int, tmp_path: Path) -> None:
    expressions = islice(calls(), part, None, PARTS)
    tally, wrong = Tally(), []
    with RealPrograms() as real:
        while batch := list(islice(expressions, BATCH)):
            source = program(batch)
            take(tally, part, source, real.run(source), tmp_path)
            wrong += [
                f"{batch[int(m.name[1:])] if m.name[1:].isdigit() else m.source}: {m.claimed}, really {m.real}"
                for m in tally.mismatches
            ]
            tally.mismatches.clear()
    assert wrong == []
    assert tally.share > 0.75, tally.reasons.most_common(5)
