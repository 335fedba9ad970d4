"""A server whose requirement admits fastmcp on mcp 1.x and on 2.x gets one module that works under both.

That it does on fastmcp 2, 3 and 4 is seen in ``test_offices.py``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.offices import OFFICES, fetch, is_refused
from tests.runtime.samples import Policies, Stand, answer, session

EITHER = {name: office for name, office in OFFICES.items() if name.startswith("either")}


def test_the_module_holds_both_adapters_and_says_which_is_for_what(tmp_path: Path) -> None:
    sample = next(iter(EITHER.values()))
    text = (sample.migrated(tmp_path / "copy") / "progressive_disclosure.py").read_text(encoding="utf-8")
    assert "# --- mcp 1.x: fastmcp 2 and 3 ---" in text
    assert "# --- mcp 2.x: fastmcp 4 ---" in text


def test_it_is_run_on_every_major() -> None:
    assert list(EITHER) == ["either_fastmcp2", "either_fastmcp3", "either_fastmcp4"]
    assert len({(sample.source, sample.requirement) for sample in EITHER.values()}) == 1


@pytest.mark.parametrize("office", EITHER, indirect=True)
def test_a_receipt_opens_a_tool_on_every_major(office: Stand) -> None:
    """A module for both majors asks for receipts in lines of its own; the other offices have none."""
    name, good = office.sample.good
    with session(office.http(Policies(http="receipt"), stateless=True)) as opened:
        assert is_refused(opened, name, good)
        asked = fetch(opened, [name])[name]["inputSchema"]["properties"]["description_receipt"]
        given = answer(opened, name, {**good, "description_receipt": asked["enum"][0]})
    assert given.get("isError", False) is False
