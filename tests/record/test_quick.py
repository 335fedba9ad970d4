"""The record of an agreement: what it holds comes back, and what is not whole counts for nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdmigrate.record import quick
from pdmigrate.record.quick import agreed, agreement_message, dump, parse, save
from tests.support.files import write

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
PAIRS = st.dictionaries(NAMES, NAMES, max_size=4)


@given(st.integers(0, 99), st.integers(0, 99), PAIRS, PAIRS, st.lists(NAMES, max_size=3))
def test_what_is_kept_comes_back(
    tools: int, partly: int, files: dict[str, str], folders: dict[str, str], installed: list[str]
) -> None:
    record = tools, partly, files, folders, installed
    assert parse(dump(record)) == record


def test_what_source_does_not_settle_is_said() -> None:
    assert agreement_message(1, 0) == "in agreement: 1 tool"
    partly = "in agreement: 98 tools, 36 of them only as far as source settles what is listed"
    assert agreement_message(98, 36) == partly


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = tmp_path / "project"
    write(made, {"a.py": "1"})
    folders = {"": quick.listing(str(made), "")}
    assert save(str(made), (3, 1, {"a.py": quick.digest(str(made), "a.py"), "uv.lock": ""}, folders, [str(tmp_path)]))
    return made


@pytest.mark.parametrize("name", ["a.py", "b.py", "uv.lock", "requirements.txt", "new.json"])
def test_only_what_counts_is_a_change(root: Path, name: str) -> None:
    (root / "README.md").write_text("2")
    assert agreed(str(root)) == (3, 1)
    (root / name).write_text("2")
    assert agreed(str(root)) is None


def test_a_file_that_is_gone_is_a_change(root: Path) -> None:
    (root / "a.py").unlink()
    assert agreed(str(root)) is None


def test_an_installation_that_is_gone(root: Path) -> None:
    record = quick.load(str(root))
    assert record is not None
    assert save(str(root), (*record[:-1], ["/nowhere/mcp-1.0.dist-info"]))
    assert agreed(str(root)) is None


def test_another_version_asks_anew(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick, "_FORM", "99")
    assert agreed(str(root)) is None


def test_a_cache_that_cannot_be_written_costs_time_only(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root.parent / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(root.parent / "file"))
    assert not save(str(root), (1, 0, {}, {}, []))
    assert agreed(str(root)) is None
