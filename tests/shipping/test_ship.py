"""What has to change in build files, on projects of every backend and layout."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.model import FileKind
from tests.shipping.projects import ALL, EDITS, EXCLUDED, NOOPS, NOT_SHIPPED, Project, expected, lay, shipping


def by_id(projects: list[Project]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("project", projects, ids=[project.id for project in projects])


@by_id(EDITS)
def test_a_build_file_is_completed_and_nothing_else_changes(project: Project, tmp_path: Path) -> None:
    lay(tmp_path, project.files)
    answer = shipping(tmp_path, project.home)
    assert answer.findings == ()
    (change,) = answer.changes
    assert change.after is not None
    assert change.after.decode() == expected(project)
    assert (change.path, change.before) == ("pyproject.toml", project.files["pyproject.toml"].encode())
    assert change.kind is FileKind.CODE


@by_id([*NOOPS, *NOT_SHIPPED])
def test_a_build_file_that_says_enough_is_left_alone(project: Project, tmp_path: Path) -> None:
    lay(tmp_path, project.files)
    answer = shipping(tmp_path, project.home)
    assert (answer.changes, answer.findings) == ((), ())


@by_id(EXCLUDED)
def test_what_a_person_excluded_or_only_a_person_can_write_is_told(project: Project, tmp_path: Path) -> None:
    lay(tmp_path, project.files)
    answer = shipping(tmp_path, project.home)
    assert [found.code for found in answer.findings] == list(project.codes)
    assert answer.changes == ()
