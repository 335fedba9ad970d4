from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.projects import project
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.repositories import commit


@pytest.fixture
def migrated(tmp_path: Path) -> Path:
    """A project that was migrated, and the migration committed."""
    root = project(tmp_path)
    assert pdmigrate("apply", "--all", root, "--write", "--copies", *VERSIONS).status == 0
    commit(root)
    return root
