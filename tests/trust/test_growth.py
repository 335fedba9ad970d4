"""What is done for a project with many servers grows with the project, and not with every pair of its files."""

from __future__ import annotations

import cProfile
import os
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.migrate.write import revert
from pdmigrate.model import FileKind
from pdmigrate.project.loading import load_project
from pdmigrate.settings import Settings
from tests.support.files import write
from tests.write.test_revert import migrate

SERVER = """from mcp.server import Server
from mcp.types import Tool

server = Server("s{0}")


@server.list_tools()
async def list_tools():
    return [Tool(name="do_{0}", description="Do it.", inputSchema={{"type": "object"}})]
"""


def opened(folder: Path, servers: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often something is opened while a project is read that has so many servers in one folder."""
    write(folder, {"pyproject.toml": '[project]\nname = "x"\nversion = "1"\n', "README.md": "python many/server0.py\n"})
    write(folder / "many", {f"server{number}.py": SERVER.format(number) for number in range(servers)})
    count = 0
    real = os.open

    def counted(*arguments: Any, **options: Any) -> int:
        nonlocal count
        count += 1
        return real(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", counted)
        project = load_project(folder, ".", Settings())
    assert len(project.inventory.servers) == servers
    return count


def test_a_project_of_many_servers_is_read_in_proportion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = opened(tmp_path / "few", 20, monkeypatch)
    many = opened(tmp_path / "many", 120, monkeypatch)
    assert many < 7 * few, (few, many)


def called(folder: Path, files: int) -> int:
    """How many functions are called while the revert of a migration is planned that changed so many files."""
    before = {f"{number}.py": b"a = %d\n" % number for number in range(files)}
    migrate(write(folder, before), before, {path: b"b = 1\n" + content for path, content in before.items()})
    profile = cProfile.Profile()
    plan = profile.runcall(revert.plan_revert, folder, holds_words=lambda *_: False, is_generated=lambda *_: True)
    assert len([change for change in plan.changes if change.kind is FileKind.CODE]) == files
    return sum(entry.callcount for entry in profile.getstats())


def test_a_revert_of_many_files_is_planned_in_proportion(tmp_path: Path) -> None:
    few = called(tmp_path / "few", 20)
    many = called(tmp_path / "many", 120)
    assert many < 8 * few, (few, many)
