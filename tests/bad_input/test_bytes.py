"""A file of a migrated project that holds something else than it should: a clear line, and nothing half done."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.layouts.living import migrated
from tests.support.command_line import pdmigrate
from tests.support.files import tree, write

ROOT = Path(__file__).parents[2]
DEEP = 100_000
FILES = (
    "server.py",
    "progressive_disclosure.py",
    "pyproject.toml",
    "uv.lock",
    "tool_descriptions/check_out.json",
    "tool_descriptions/_server.json",
    ".pdmigrate/lock.json",
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


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("path", FILES)
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
