"""Every layout from end to end: migrated, started as it is started, asked over the wire, taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.layouts.living import check_round_trip, write
from tests.layouts.trees import LAYOUTS


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout(name: str, tmp_path: Path) -> None:
    layout = LAYOUTS[name]
    root = write(tmp_path / "project", layout.files)
    check_round_trip(root, layout.starts, root / layout.path, *layout.options)
