"""A disk that is full or refuses: nothing is half done, and the next command says so; kills are in ``tests/write``."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from tests.bad_input.cases import check_said
from tests.layouts.servers import module
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import tree, write
from tests.write.faults import failing_at, patched

FILES = {"pyproject.toml": "", "server.py": module()}


def _project(folder: Path) -> Path:
    return write(folder / "project", FILES)


def _apply(root: Path) -> None:
    ran = pdmigrate("apply", "--all", root, "--write", *VERSIONS)
    assert ran.status == 0, ran.stderr


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many calls that change the disk a whole migration makes, where what was read is remembered already."""
    _apply(_project(tmp_path_factory.mktemp("remembered")))
    seen: list[str] = []
    with pytest.MonkeyPatch.context() as monkeypatch:
        patched(monkeypatch, seen.append)
        _apply(_project(tmp_path_factory.mktemp("counted")))
    assert len(seen) > 40, len(seen)
    return len(seen)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The project as a whole migration leaves it."""
    root = _project(tmp_path_factory.mktemp("done"))
    _apply(root)
    return tree(root)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.ENOSPC, "No space left on device"),
        (errno.EACCES, "Permission denied"),
        (errno.EROFS, "Read-only file system"),
        (errno.EIO, "Input/output error"),
    ],
)
@pytest.mark.parametrize("share", [0.2, 0.8])
def test_a_disk_that_refuses_is_said_and_nothing_is_changed(
    share: float, code: int, words: str, calls: int, done: dict[str, bytes], tmp_path: Path
) -> None:
    root = _project(tmp_path)
    before = tree(root)
    number = max(1, round(share * calls * (0.6 if code == errno.ENOSPC else 1)))
    with failing_at(number, code, for_good=code == errno.ENOSPC) as failed:
        ran = pdmigrate("apply", "--all", root, "--write", *VERSIONS)
        assert failed()
    if ran.status == 0:
        # What failed was tidying up after the run was done.
        assert tree(root) == done
        return
    assert ran.status == 2
    check_said(ran, root, ("error", words, "hint: "))
    left = {path: raw for path, raw in tree(root).items() if not path.startswith(".pdmigrate/")}
    if left != before:
        assert "what was written is taken back by the next command" in ran.stderr
    if any(path.startswith(".pdmigrate/") for path in tree(root)):
        assert pdmigrate("sync", root).status == 2
    assert pdmigrate("apply", "--all", root, "--check", *VERSIONS).status == 1
    assert tree(root) == before
    _apply(root)
    assert tree(root) == done


# --- permissions: as root everything may be read and written, so what the system would say is put in its place --------


def _denied(monkeypatch: pytest.MonkeyPatch, place: Path, mode: int) -> None:
    real = os.access

    def access(path: str | os.PathLike[str], wanted: int, **options: bool) -> bool:
        return not (os.fspath(path) == os.fspath(place) and wanted & mode) and real(path, wanted, **options)

    monkeypatch.setattr(os, "access", access)


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
    real = os.open

    def opened(path: str | os.PathLike[str], *arguments: Any, **options: Any) -> int:
        if path == "server.py":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return real(path, *arguments, **options)

    monkeypatch.setattr(os, "open", opened)
    ran = pdmigrate("apply", "--all", root, "--write", *VERSIONS)
    assert (ran.status, ran.stdout) == (1, "")
    said = ("server.py:1: PD107 error: server.py cannot be read: Permission denied\n", "no MCP server found below ROOT")
    check_said(ran, root, said)


def test_no_room_for_the_state_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = _project(tmp_path)
    before = tree(root)
    real = os.mkdir

    def mkdir(path: str | os.PathLike[str], *arguments: Any, **options: Any) -> None:
        if ".pdmigrate" in os.fspath(path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
        real(path, *arguments, **options)

    monkeypatch.setattr(os, "mkdir", mkdir)
    ran = pdmigrate("apply", "--all", root, "--write", *VERSIONS)
    assert (ran.status, ran.stdout) == (2, "")
    check_said(
        ran,
        root,
        ("error[PD602]: ROOT/.pdmigrate/journal cannot be used: Permission denied; ", "hint: check its permissions"),
    )
    assert tree(root) == before
