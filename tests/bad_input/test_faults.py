"""A disk that refuses, and files that hold what they should not, are said; ``tests/write`` sees nothing half done."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.bad_input.cases import check_said
from tests.layouts.living import migrated
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


ROOT = Path(__file__).parents[2]
DEEP = 100_000
PATHS = (
    *("server.py", "progressive_disclosure.py", "pyproject.toml", "uv.lock", ".pdmigrate/lock.json"),
    *("tool_descriptions/check_out.json", "tool_descriptions/_server.json"),
)
HARM: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda raw: raw[:0],
    "cut": lambda raw: raw[: len(raw) // 2],
    "not text": lambda raw: raw[:99] + b"\xff\0\xed\xa0\x80" + raw[99:],
    "another encoding": lambda raw: raw.decode().encode("utf-16"),
    "long": lambda raw: raw + b"# a\n" * 250_000,
    "deep": lambda _: b"a = " + b"[" * DEEP + b"]" * DEEP,
    "deep JSON": lambda _: b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    "a merge": lambda raw: raw[:99] + b"\n<<<<<<< ours\n=======\n>>>>>>> theirs\n" + raw[99:],
    "another value": lambda _: b'{"$ref": "#"}',
}
COMMANDS = (("check",), ("extract", "--no-write"), ("sync", "--prune"), ("revert", "--dry-run"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("whole") / "library"
    shutil.copytree(ROOT / "sample_servers" / "mcp1_lowlevel", root)
    write(
        root,
        {"pyproject.toml": '[project]\nname = "x"\n', "uv.lock": '[[package]]\nname = "mcp"\nversion = "1.30.0"\n'},
    )
    migrated(root, versions=())
    return root


@pytest.mark.timeout(120)
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", HARM)
def test_every_command_says_what_is_wrong_or_goes_on(name: str, path: str, whole: Path, tmp_path: Path) -> None:
    root = tmp_path / "library"
    shutil.copytree(whole, root)
    (root / path).write_bytes(HARM[name]((root / path).read_bytes()))
    for command, *options in COMMANDS:
        before = tree(root)
        ran = pdmigrate(command, root, *options)
        assert ran.status in (0, 1, 2)
        if ran.status == 2:
            assert "error" in ran.stderr
            assert "hint: " in ran.stderr
            assert tree(root) == before
