"""Licences: which of the files that a migration adds a ``REUSE.toml`` leaves without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.describe.homes import Home
from pdmigrate.project.shipping import candidates, licences
from tests.support.files import write

INNER = Home("src/app/progressive_disclosure.py", "src/app/tool_descriptions")
TOP = Home("progressive_disclosure.py", "tool_descriptions")
MODULE, SERVER, STATE = "src/app/progressive_disclosure.py", "src/app/tool_descriptions/**", ".pdmigrate/**"
AS = 'SPDX-FileCopyrightText = "2025 Us"\nSPDX-License-Identifier = "MIT"\n'


def annotated(*patterns: str) -> str:
    return f"version = 1\n\n[[annotations]]\npath = {list(patterns)!r}\n{AS}"


LACKING = {
    "nothing": ("version = 1\n", [STATE, MODULE, SERVER]),
    "other files": (annotated("docs/**", "*.md", "src/*"), [STATE, MODULE, SERVER]),
    "the sources": (annotated("src/**"), [STATE]),
    "modules alone": (annotated("src/**/*.py"), [STATE, SERVER]),
    "the record alone": (annotated(".pdmigrate/*"), [MODULE, SERVER]),
    "one text for a path": (f'[[annotations]]\npath = "src/**"\n{AS}', [STATE]),
    "no annotations": ("annotations = 3\n", [STATE, MODULE, SERVER]),
    "not TOML": ("[[", [STATE, MODULE, SERVER]),
}


@pytest.mark.parametrize("name", LACKING)
def test_what_has_no_licence_is_named_with_the_lines_to_add(name: str) -> None:
    text, patterns = LACKING[name]
    [said] = licences({"REUSE.toml": text.encode(), "pyproject.toml": b""}, [INNER])
    assert said.code == "PD548"
    lines = [line.strip() for line in said.hint.splitlines()[1:]]
    assert lines[:2] == ["[[annotations]]", "path = [" + ", ".join(f'"{pattern}"' for pattern in patterns) + "]"]
    own = "MIT" if "MIT" in text else "..."
    assert lines[3] == f'SPDX-License-Identifier = "{own}"'


COVERED = {
    "everything": {"REUSE.toml": annotated("**")},
    "each": {"REUSE.toml": annotated("src/**", ".pdmigrate/**")},
    "in two files": {"REUSE.toml": annotated(".pdmigrate/**"), "src/REUSE.toml": annotated("app/**")},
    "nobody asks": {"pyproject.toml": "[project]\n"},
}


@pytest.mark.parametrize("name", COVERED)
def test_what_is_covered_is_not_spoken_of(name: str) -> None:
    files = {path: text.encode() for path, text in COVERED[name].items()}
    assert list(licences(files, [INNER])) == []


def test_without_an_added_file_nothing_is_said() -> None:
    assert list(licences({"REUSE.toml": b"version = 1\n"}, [])) == []


def test_the_file_is_looked_for_where_the_added_files_are(tmp_path: Path) -> None:
    write(tmp_path, {"REUSE.toml": "version = 1\n", "src/REUSE.toml": "version = 1\n", "docs/REUSE.toml": ""})
    assert [path for path in candidates(tmp_path, [INNER]) if "REUSE" in path] == ["REUSE.toml", "src/REUSE.toml"]
    assert [path for path in candidates(tmp_path, [TOP]) if "REUSE" in path] == ["REUSE.toml"]
