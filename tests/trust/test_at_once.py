"""A formatter, an editor, a kill or another command in between: all old or all new, or a clear refusal.

``benchmarks/kills.py`` has the large numbers of kills and of commands at once.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from pdmigrate import disk
from pdmigrate.errors import StaleError
from pdmigrate.migrate.plan.build import plan_migration
from pdmigrate.migrate.write.carrying import carry_out
from pdmigrate.project.loading import load_project
from pdmigrate.settings import Settings, merge
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import tree
from tests.support.processes import run
from tests.trust.hostile import SERVER, Victim

SETTINGS = merge(Settings(), sdk={"mcp": "1.30.0", "pydantic": "2.14.3"})


def test_a_file_that_changes_between_two_reads_stops_the_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spans of one content and bytes of another would be an edit in the wrong place."""
    victim = Victim(tmp_path)
    real, reads = disk.read, 0

    def read(root: object, path: str, limit: int = disk.LARGEST) -> bytes:
        nonlocal reads
        content = real(str(root), path, limit)
        if path == "server.py":
            reads += 1
            (victim.root / path).write_bytes(SERVER.replace(b"import", b"import  ", 1) if reads == 1 else content)
        return content

    monkeypatch.setattr(disk, "read", read)
    with pytest.raises(StaleError) as error:
        load_project(victim.root, ".", SETTINGS)
    assert error.value.code == "PD601"
    assert "server.py was changed while the project was read" in error.value.message


@pytest.mark.parametrize("path", ["pyproject.toml", "helper.py", ".pdmigrate/lock.json"])
def test_a_plan_is_bound_to_all_that_it_was_made_from(path: str, tmp_path: Path) -> None:
    """Also to files that it does not change: they decide what it is."""
    victim = Victim(tmp_path, {"helper.py": b"TEXT = 'x'\n", "server.py": b"import helper\n" + SERVER})
    project = load_project(victim.root, ".", SETTINGS)
    plan = plan_migration(project, SETTINGS)
    (victim.root / path).parent.mkdir(exist_ok=True)
    (victim.root / path).write_bytes(b"# another\n")
    before = tree(victim.root)
    with pytest.raises(StaleError) as error:
        carry_out(victim.root, plan, project.read)
    assert error.value.code == "PD601"
    assert tree(victim.root) == before


@pytest.mark.parametrize("stops", [True, False])
def test_a_plan_is_made_again_until_nobody_edits_in_between(
    stops: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pdmigrate.cli import writing

    victim = Victim(tmp_path)
    real, times = writing.carry_out, 0

    def edited(*arguments: Any, **options: Any) -> None:
        nonlocal times
        times += 1
        if times == 1 or not stops:
            (victim.root / "server.py").write_bytes(b"# edit %d\n" % times + SERVER)
        real(*arguments, **options)

    monkeypatch.setattr("pdmigrate.cli.apply.carry_out", edited)
    monkeypatch.setattr(writing, "_ATTEMPTS", 3)
    ended = pdmigrate("apply", "--all", victim.root, "--write", "--allow-dirty", *VERSIONS)
    if not stops:
        assert (ended.status, times) == (2, 3)
        assert "error[PD601]: server.py changed since the plan was made; nothing was changed" in ended.stderr
        assert tree(victim.root).keys() == {"pyproject.toml", "server.py"}
        return
    assert (ended.status, times) == (0, 2), ended.stderr
    assert pdmigrate("check", victim.root).status == 0
    assert pdmigrate("revert", victim.root).status == 0
    assert (victim.root / "server.py").read_bytes() == b"# edit 1\n" + SERVER


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 12])
def test_nothing_is_left_half_done(seed: int) -> None:
    options = ("--kills", "8", "--rounds", "2", "--seed", seed)
    said = run(sys.executable, "-m", "benchmarks.kills", *options, cwd=Path(__file__).parents[2], timeout=280)
    assert f"8 kills, seed {seed}" in said
    assert "2 rounds of three at once" in said
    assert not any(word in said for word in ("HALF DONE", "LEFT BEHIND", "WRONG")), said
