"""Projects whose tools are decorated functions, where that matters: migrated, started as they are started, taken back.

Every layout is tried in one family, by turns.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.layouts.decorated import FAMILIES, LAYOUTS, Family
from tests.layouts.living import check_round_trip
from tests.support.files import write

ALONE = (
    "one file",
    "a package whose tools are in modules of their own",
    "a factory with tools inside",
    "methods of a class that has the server",
)
"""Those that are started as users start them, one of each family; the others by a process that has imported the SDK."""
ABLE = {name: [family for family in FAMILIES if family.id in layout.only] for name, layout in LAYOUTS.items()}
CASES = [(name, able[number % len(able)]) for number, (name, able) in enumerate(ABLE.items())]


@pytest.mark.parametrize(("name", "family"), CASES, ids=lambda value: getattr(value, "id", value))
def test_a_layout(name: str, family: Family, tmp_path: Path) -> None:
    layout = LAYOUTS[name]
    root = write(tmp_path / "project", {path: family.text(text) for path, text in layout.files.items()})
    starts = [replace(start, tools={}) for start in layout.starts]
    ran = check_round_trip(root, starts, pins=family.pins, versions=family.versions, alone=name in ALONE)
    assert "found 2 = moved 0 + stubbed 2 + skipped 0 + failed 0\n" in ran.stderr
