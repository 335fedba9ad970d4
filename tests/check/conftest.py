"""Migrated projects, made once for each dialect and copied for each test; records of agreement stay in the test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.check.desk import DIALECTS, Desk, copied, migrated


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Desk]:
    made: dict[str, Desk] = {}

    def template(name: str) -> Desk:
        if name not in made:
            made[name] = migrated(tmp_path_factory.mktemp("template") / "project", DIALECTS[name])
        return made[name]

    return template


@pytest.fixture
def desk(templates: Callable[[str], Desk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A migrated low-level server in the current folder."""
    here = copied(templates("mcp1-lowlevel"), tmp_path / "project")
    monkeypatch.chdir(here.root)
    return here


@pytest.fixture
def written(templates: Callable[[str], Desk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A migrated server of functions in the current folder."""
    here = copied(templates("mcp1-fastmcp"), tmp_path / "project")
    monkeypatch.chdir(here.root)
    return here
