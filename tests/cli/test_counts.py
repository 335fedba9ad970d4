"""``apply`` and ``audit`` count the same: whatever is migrated, and whatever is listed."""

from __future__ import annotations

import json
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
