"""``apply`` and ``audit`` count the same: whatever is migrated, and whatever is listed."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.support.command_line import pdmigrate
from tests.support.repositories import initialised

SAMPLES = Path(__file__).parents[2] / "sample_servers"
NAMES = sorted(folder.name for folder in SAMPLES.iterdir() if (folder / "server.py").exists())


@pytest.mark.parametrize("options", [(), ("--no-bridge", "--stub-schema", "open")], ids=["as it is", "with options"])
@pytest.mark.parametrize("name", NAMES)
def test_a_listing_has_one_size_before_and_one_after(name: str, options: tuple[str, ...], tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / name, tmp_path / name)
    initialised(tmp_path)
    plan = json.loads(pdmigrate("apply", tmp_path, "--format", "json", *options).stdout)["tokens"]
    (server,) = json.loads(pdmigrate("audit", tmp_path, "--format", "json", *options).stdout)["servers"]
    counted = server["tokens"]
    assert (plan["bridge"], plan["guidance"]) == (counted["bridge"], counted["guidance"])
    assert (counted["bridge"] == 0) is ("--no-bridge" in options)
    if plan["tools"] == len(server["tools"]):
        assert plan["before"] == counted["now"]
        assert plan["after"] + plan["bridge"] + plan["guidance"] == counted["after"]


def test_a_tree_has_figures_for_each_server_and_the_sum(tmp_path: Path) -> None:
    for name in NAMES:
        shutil.copytree(SAMPLES / name, tmp_path / name)
    initialised(tmp_path)
    said = pdmigrate("apply", tmp_path, "--all").stderr
    audited = json.loads(pdmigrate("audit", tmp_path, "--format", "json").stdout)["servers"]
    settled = [one for one in audited if not one["uncounted"]]
    assert len(settled) > 5
    for one in settled:
        now, after = one["tokens"]["now"], one["tokens"]["after"]
        assert f"{one['name']}  {now:,} -> {after:,} tokens ({round(100 * after / now - 100):+d} %)" in said
    figures = re.findall(r"^\S+  ([\d,]+) -> ([\d,]+) tokens \(", said, re.M)
    total = re.search(r"^tokens in the listing: ([\d,]+) -> ([\d,]+),", said, re.M)
    assert total is not None
    assert [sum(int(pair[side].replace(",", "")) for pair in figures) for side in (0, 1)] == [
        int(figure.replace(",", "")) for figure in total.groups()
    ]
