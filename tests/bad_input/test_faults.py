"""A disk that refuses is said; that nothing is half done, however a run ends, is seen in ``tests/write``."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.bad_input.cases import check_said
from tests.layouts.servers import module
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import tree, write

FILES = {"pyproject.toml": "", "server.py": module()}


def _project(folder: Path) -> Path:
    return write(folder / "project", FILES)


# --- permissions: as root everything may be read and written, so what the system would say is put in its place --------


def _denied(monkeypatch: pytest.MonkeyPatch, place: Path, mode: int) -> None:
    real = os.access

    def access(path: str | os.PathLike[str], wanted: int, **options: bool) -> bool:
        return not (os.fspath(path) == os.fspath(place) and wanted & mode) and real(path, wanted, **options)

    monkeypatch.setattr(os, "access", access)


def _refused(monkeypatch: pytest.MonkeyPatch, call: str, is_meant: Callable[[str], bool]) -> None:
    real = getattr(os, call)

    def refusing(path: str | os.PathLike[str], *arguments: Any, **options: Any) -> Any:
        if is_meant(os.fspath(path)):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
        return real(path, *arguments, **options)

    monkeypatch.setattr(os, call, refusing)


def test_a_read_only_file_is_named_and_nothing_is_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = _project(tmp_path)
    before = tree(root)
    _denied(monkeypatch, root / "server.py", os.W_OK)
    ran = pdmigrate("apply", "--all", root, "--write", *VERSIONS)
    assert (ran.status, ran.stdout) == (2, "")
    check_said(ran, root, ("error[PD602]: server.py is read-only; nothing was changed\n", "hint: make it writable\n"))
    assert tree(root) == before


@pytest.mark.parametrize("path", [".", "server.py"])
def test_a_path_that_may_not_be_read_is_said(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = _project(tmp_path)
    _denied(monkeypatch, root / path, os.R_OK)
    ran = pdmigrate("apply", "--all", root / path, *VERSIONS)
    assert (ran.status, ran.stdout) == (2, "")
    assert f"{root / path}' is not readable" in ran.stderr


def test_a_server_that_may_not_be_read_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = _project(tmp_path)
    _refused(monkeypatch, "open", lambda path: path == "server.py")
    ran = pdmigrate("apply", "--all", root, "--write", *VERSIONS)
    assert (ran.status, ran.stdout) == (1, "")
    said = ("server.py:1: PD107 error: server.py cannot be read: Permission denied\n", "no MCP server found below ROOT")
    check_said(ran, root, said)


def test_no_room_for_the_state_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = _project(tmp_path)
    before = tree(root)
    _refused(monkeypatch, "mkdir", lambda path: ".pdmigrate" in path)
    ran = pdmigrate("apply", "--all", root, "--write", *VERSIONS)
    assert (ran.status, ran.stdout) == (2, "")
    said = "error[PD602]: ROOT/.pdmigrate/journal cannot be used: Permission denied; "
    check_said(ran, root, (said, "hint: check its permissions"))
    assert tree(root) == before
