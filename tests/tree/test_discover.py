"""Which files are looked at."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from pdmigrate.errors import UsageError
from pdmigrate.source.discover import gated, python_files
from tests.support.files import write
from tests.support.repositories import git, initialised

GATES = (b"mcp.server",)


def discover(root: Path, *, exclude: tuple[str, ...] = (), gates: tuple[bytes, ...]) -> tuple[str, ...]:
    """The Python files of the project that hold one of ``gates``."""
    return gated(root, python_files(root, exclude=exclude), gates)


def servers(root: Path, *paths: str) -> Path:
    """The folder, with a file at each of the paths that may hold a server."""
    return write(root, dict.fromkeys(paths, "import mcp.server\n"))


def test_only_files_with_a_gate_are_candidates(tmp_path: Path) -> None:
    servers(tmp_path, "a.py", "pkg/b.py", "pkg/data.txt")
    (tmp_path / "c.py").write_text("import os\n")
    assert discover(tmp_path, gates=GATES) == ("a.py", "pkg/b.py")
    assert python_files(tmp_path) == ("a.py", "c.py", "pkg/b.py")


@pytest.mark.parametrize("folder", [".venv/lib", "node_modules/x", ".git/hooks", "__pycache__", "a/site-packages/mcp"])
def test_folders_that_hold_no_own_source_are_left_out(tmp_path: Path, folder: str) -> None:
    servers(tmp_path, "a.py", f"{folder}/b.py")
    assert discover(tmp_path, gates=GATES) == ("a.py",)


def test_an_environment_of_any_name_is_left_out(tmp_path: Path) -> None:
    servers(tmp_path, "a.py", "myenv/lib/b.py")
    (tmp_path / "myenv/pyvenv.cfg").touch()
    assert discover(tmp_path, gates=GATES) == ("a.py",)


@pytest.mark.parametrize("text", ["-" * 3_000_000, "-\n" * 500_000, "*a" * 40_000, "*a" * 20 + "b", "a/\n" * 2_000])
def test_a_gitignore_that_is_no_list_costs_nothing(tmp_path: Path, text: str) -> None:
    servers(tmp_path, "a" * 200 + ".py")
    (tmp_path / ".gitignore").write_text(text)
    started = process_time()
    assert python_files(tmp_path) == ("a" * 200 + ".py",)
    assert process_time() - started < 2


def test_an_excluded_pattern_that_takes_too_long_is_refused(tmp_path: Path) -> None:
    servers(tmp_path, "a" * 200 + ".py")
    with pytest.raises(UsageError, match=r"exclude: \*a\*a\*a\*ab takes too long"):
        python_files(tmp_path, exclude=("tests/", "*a*a*a*ab"))


def test_gitignore_is_respected_without_a_repository(tmp_path: Path) -> None:
    servers(tmp_path, "a.py", "build/b.py", "keep/c.py")
    (tmp_path / ".gitignore").write_text("build/\n")
    assert discover(tmp_path, gates=GATES) == ("a.py", "keep/c.py")


def test_a_repository_lists_tracked_and_new_files_but_not_ignored_ones(tmp_path: Path) -> None:
    servers(tmp_path, "tracked.py", "new.py", "out/ignored.py", "pkg/naïve.py")
    (tmp_path / ".gitignore").write_text("out/\n")
    initialised(tmp_path)
    git(tmp_path, "add", "tracked.py", "pkg")
    assert discover(tmp_path, gates=GATES) == ("new.py", "pkg/naïve.py", "tracked.py")


def test_a_deleted_tracked_file_is_not_a_candidate(tmp_path: Path) -> None:
    servers(tmp_path, "a.py", "gone.py")
    initialised(tmp_path)
    git(tmp_path, "add", ".")
    (tmp_path / "gone.py").unlink()
    assert discover(tmp_path, gates=GATES) == ("a.py",)


def test_a_folder_of_a_repository_is_a_root_of_its_own(tmp_path: Path) -> None:
    servers(tmp_path, "outer.py", "sub/inner.py")
    initialised(tmp_path)
    assert discover(tmp_path / "sub", gates=GATES) == ("inner.py",)


@pytest.mark.parametrize("pattern", ["tests/", "tests/**", "test_*.py", "**/test_x.py"])
def test_excluded_patterns_are_those_of_gitignore(tmp_path: Path, pattern: str) -> None:
    servers(tmp_path, "a.py", "tests/test_x.py")
    assert discover(tmp_path, exclude=(pattern,), gates=GATES) == ("a.py",)


def test_links_out_of_the_tree_are_not_followed(tmp_path: Path) -> None:
    servers(tmp_path, "outside/secret.py", "root/a.py")
    (tmp_path / "root/link.py").symlink_to(tmp_path / "outside/secret.py")
    (tmp_path / "root/folder").symlink_to(tmp_path / "outside")
    (tmp_path / "root/loop").symlink_to(tmp_path / "root")
    (tmp_path / "root/inner.py").symlink_to(tmp_path / "root/a.py")
    assert discover(tmp_path / "root", gates=GATES) == ("a.py", "inner.py")
