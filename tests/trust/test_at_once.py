"""A formatter or an editor in between: all old or all new, or a clear refusal."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate import disk
from pdmigrate.errors import StaleError
from pdmigrate.migrate.plan.build import plan_migration
from pdmigrate.migrate.write.carrying import carry_out
from pdmigrate.project.loading import load_project
from pdmigrate.settings import Settings, merge
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import tree
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


def test_a_formatter_in_between_makes_the_plan_be_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pdmigrate.cli import writing

    victim = Victim(tmp_path)
    real, times = writing.carry_out, 0

    def formatted(*arguments: object, **options: object) -> None:
        nonlocal times
        times += 1
        if times == 1:
            (victim.root / "server.py").write_bytes(b"# formatted\n" + SERVER)
        real(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("pdmigrate.cli.apply.carry_out", formatted)
    ended = pdmigrate("apply", "--all", victim.root, "--write", "--allow-dirty", *VERSIONS)
    assert (ended.status, times) == (0, 2), ended.stderr
    assert (victim.root / "server.py").read_bytes().startswith(b"# formatted\n")
    assert pdmigrate("check", victim.root).status == 0
    assert pdmigrate("revert", victim.root).status == 0
    assert (victim.root / "server.py").read_bytes() == b"# formatted\n" + SERVER


def test_an_editor_that_does_not_stop_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pdmigrate.cli import writing

    victim = Victim(tmp_path)
    real = writing.carry_out

    def edited(*arguments: object, **options: object) -> None:
        with (victim.root / "server.py").open("ab") as file:
            file.write(b"#\n")
        real(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("pdmigrate.cli.apply.carry_out", edited)
    monkeypatch.setattr(writing, "_ATTEMPTS", 3)
    ended = pdmigrate("apply", "--all", victim.root, "--write", "--allow-dirty", *VERSIONS)
    assert ended.status == 2
    assert "error[PD601]: server.py changed since the plan was made; nothing was changed" in ended.stderr
    assert tree(victim.root).keys() == {"pyproject.toml", "server.py"}
