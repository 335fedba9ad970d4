"""Migrated projects, made once and copied for each test; records of agreement stay in the test."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.check.desk import DIALECTS, Desk, migrated


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Desk]:
    @cache
    def made(dialect: str, *options: str) -> Desk:
        return migrated(tmp_path_factory.mktemp("template") / "project", dialect, options)

    return made


@pytest.fixture
def copied(template: Callable[..., Desk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Desk]:
    """Makes a project that was migrated with these options the current folder, for one test to spoil."""

    def made(dialect: str, *options: str) -> Desk:
        root = shutil.copytree(template(dialect, *options).root, tmp_path / "project", symlinks=True)
        monkeypatch.chdir(root)
        return Desk(root, DIALECTS[dialect])

    return made


@pytest.fixture
def desk(copied: Callable[..., Desk]) -> Desk:
    """A migrated low-level server, with a description file for every tool."""
    return copied("mcp1-lowlevel", "--copies")


@pytest.fixture
def written(copied: Callable[..., Desk]) -> Desk:
    """A migrated server of functions, with a description file for every tool."""
    return copied("mcp1-fastmcp", "--copies")


@pytest.fixture
def notes(copied: Callable[..., Desk]) -> Desk:
    """A migrated server of functions whose tools have a line each."""
    return copied("mcp1-fastmcp")
