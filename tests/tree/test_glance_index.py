"""What is remembered of a tree is never believed where it could be wrong."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pdmigrate import disk
from pdmigrate.source import glance_index
from pdmigrate.source.glances import Glance, glance
from pdmigrate.understand.inventory.extract import look
from tests.support.files import write


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(glance_index, "_WORTH_KEEPING", 1)
    return tmp_path / "cache" / "pdmigrate" / "glances"


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time in which files are old."""
    real = glance_index.now
    monkeypatch.setattr(glance_index, "now", lambda: real() + 10_000_000_000)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    files = {"server.py": "import names\n", "names.py": 'FIRST = "one"\n', "other.py": "import json\n"}
    return write(tmp_path / "tree", files)


def seen(root: Path) -> dict[str, Glance | None]:
    glances = look(root)
    found = {path: glances.at(path) for path in glances.files}
    glances.keep()
    return found


def fresh(root: Path) -> dict[str, Glance | None]:
    return {path.relative_to(root).as_posix(): glance(path.read_bytes()) for path in sorted(root.rglob("*.py"))}


def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that are read from now on."""
    found: list[str] = []
    real = disk.read

    def read(root: Path, path: str, limit: int = disk.LARGEST) -> bytes:
        found.append(path)
        return real(root, path, limit)

    monkeypatch.setattr(disk, "read", read)
    return found


@pytest.mark.usefixtures("later")
def test_what_has_not_changed_is_not_read_again(cache: Path, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = seen(tree)
    assert before == fresh(tree)
    assert len(list(cache.iterdir())) == 1
    read = reads(monkeypatch)
    assert seen(tree) == before
    assert not {*read} & {*before}


def test_a_change_within_one_tick_of_the_same_size_is_seen(cache: Path, tree: Path) -> None:
    path = tree / "names.py"
    seen(tree)
    assert not cache.exists() or "names.py" not in next(cache.iterdir()).read_text(encoding="utf-8")
    state = path.stat()
    path.write_text("from a import x\n"[:14].ljust(14) + "\n", encoding="utf-8")
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert seen(tree) == fresh(tree)


@pytest.mark.usefixtures("later", "cache")
def test_a_change_with_the_old_time_and_size_is_seen(tree: Path) -> None:
    path = tree / "other.py"
    seen(tree)
    state = path.stat()
    path.write_text("import jsox\n", encoding="utf-8")
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert path.stat().st_size == state.st_size
    assert seen(tree) == fresh(tree)


@pytest.mark.usefixtures("later")
def test_the_oldest_trees_are_forgotten(cache: Path, tree: Path) -> None:
    for number in range(15):
        root = tree.parent / f"tree{number}"
        write(root, {"a.py": "import b\n"})
        seen(root)
    assert len(list(cache.iterdir())) == glance_index._MOST_TREES


@pytest.mark.usefixtures("later", "cache")
def test_what_is_read_after_all_is_held_to_what_was_remembered(tree: Path) -> None:
    seen(tree)
    with disk.reading():
        seen(tree)
        (tree / "other.py").write_text("import c\n", encoding="utf-8")
        with pytest.raises(disk.ChangedError):
            disk.read(tree, "other.py")


@pytest.mark.usefixtures("cache", "later")
@pytest.mark.parametrize("changed", ["sdk/families.py", "source/glances.py"])
def test_what_other_code_has_seen_is_not_believed(tree: Path, monkeypatch: pytest.MonkeyPatch, changed: str) -> None:
    seen(tree)
    real = disk.packaged
    monkeypatch.setattr(disk, "packaged", lambda path: real(path) + (b"# more" if path == changed else b""))
    found = reads(monkeypatch)
    seen(tree)
    assert {"names.py", "other.py", "server.py"} <= set(found)
