"""The door itself: what it opens, and what it refuses."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pdmigrate import disk
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import write
from tests.trust.hostile import SERVER, Victim


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, {"outside/secret.py": b"secret"})
    made = write(tmp_path / "root", {"pkg/a.py": b"a", ".git/config": b"config"})
    inside = {"inner.py": "pkg/a.py", "twin": "pkg", "config.py": ".git/config"}
    for link, target in {**inside, "out": "../outside", "out.py": tmp_path / "outside/secret.py"}.items():
        (made / link).symlink_to(target)
    return made


@pytest.mark.parametrize("steady", [False, True])
def test_what_is_inside_is_read(root: Path, steady: bool) -> None:
    def look() -> None:
        for path in ("pkg/a.py", "inner.py", "twin/a.py", "./pkg//a.py"):
            assert disk.read(root, path) == b"a"
            assert disk.kind(root, path) == disk.FILE
        assert disk.content(root, "pkg/none.py") is None
        assert disk.content(root, "pkg/a.py/b") is None
        assert disk.is_folder(root, "twin")
        assert disk.resolved(root, "twin/a.py") == "pkg/a.py"
        assert disk.names(root, "twin") == ["a.py"]

    if steady:
        with disk.reading():
            look()
    look()


REFUSED = (
    *("out/secret.py", "out.py", "../outside/secret.py", "pkg/../../outside/secret.py", "/etc/passwd", "config.py"),
    *(".git/config", ".GIT/config", "pkg/.git/x", "git~1/config", ".git./config", ".git /x", "a\0b", ".g\u200cit/x"),
)


@pytest.mark.parametrize("path", REFUSED)
def test_what_leads_out_or_into_git_is_refused(root: Path, path: str) -> None:
    for act in (disk.read, disk.resolved, disk.listing):
        with pytest.raises((disk.RefusedError, FileNotFoundError, NotADirectoryError)):
            act(root, path)
    assert disk.kind(root, path) is None
    with pytest.raises(OSError):
        disk.create(root, path, b"x")
    if path not in ("out.py", "config.py"):  # A file takes the place of a link, and not of what it leads to.
        with pytest.raises(OSError):
            disk.replace(root, "pkg/a.py", path)
    assert (root.parent / "outside/secret.py").read_bytes() == b"secret"
    assert (root / ".git/config").read_bytes() == b"config"


@pytest.mark.parametrize("act", [disk.remove, disk.remove_folder, disk.remove_tree, disk.make_folder])
def test_nothing_is_written_through_a_link(root: Path, act: Callable[[Path, str], object]) -> None:
    for path in ("out/secret.py", "twin/a.py", "out/x/y"):
        with pytest.raises(OSError):
            act(root, path)
    assert (root.parent / "outside/secret.py").exists()
    assert (root / "pkg/a.py").exists()


def test_a_link_is_removed_and_not_what_it_leads_to(root: Path) -> None:
    disk.remove(root, "out")
    assert not (root / "out").is_symlink()
    (root / "pkg/more").symlink_to(root.parent / "outside")
    disk.remove_tree(root, "pkg")
    assert (root.parent / "outside/secret.py").exists()


@pytest.mark.parametrize("bare", ["bare", ".", "bare/hooks"])
def test_what_git_would_take_for_a_repository_is_not_written(root: Path, bare: str) -> None:
    place = root if bare == "." else root / "bare"
    for name in ("objects", "refs", "hooks"):
        (place / name).mkdir(parents=True)
    (place / "HEAD").write_bytes(b"ref: refs/heads/main\n")
    with pytest.raises(disk.RefusedError, match="belongs to git"):
        disk.create(root, f"{bare}/post-checkout.py", b"x")


def _huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(5_000_000_000)


ENDLESS: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "a link to /dev/zero": lambda path: path.symlink_to("/dev/zero"),
    "a file of 5 GB": _huge,
}
SPECIAL = {**ENDLESS, "a folder": Path.mkdir, "a loop of links": lambda path: path.symlink_to(path.name)}


@pytest.mark.parametrize("name", SPECIAL)
def test_only_regular_files_of_a_sensible_size_are_read(name: str, root: Path) -> None:
    SPECIAL[name](root / "x.py")
    with pytest.raises(OSError):
        disk.read(root, "x.py")


READER = b"from pathlib import Path\nimport helper\nTEXT = (Path(__file__).parent / 'text.md').read_text()\n"


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", ENDLESS)
@pytest.mark.parametrize(
    "path", ["helper.py", "text.md", "pyproject.toml", "uv.lock", "tool_descriptions/find_note.json"]
)
def test_a_command_does_not_wait_for_what_never_ends(name: str, path: str, tmp_path: Path) -> None:
    server = READER + SERVER.replace(b'description="', b'description=TEXT + "', 1)
    victim = Victim(tmp_path, {"server.py": server})
    (victim.root / path).parent.mkdir(exist_ok=True)
    (victim.root / path).unlink(missing_ok=True)
    SPECIAL[name](victim.root / path)
    for command in (("extract", "--no-write"), ("apply",)):
        ended = pdmigrate(command[0], victim.root, *command[1:], *VERSIONS)
        assert "mistake in pdmigrate" not in ended.stderr
        assert ended.status in (0, 1, 2)


def test_a_link_out_of_the_tree_is_said_where_it_is_wanted(tmp_path: Path) -> None:
    """A monorepo with a link out of the part that is looked at: what is behind it is no part of the project."""
    server = b"from shared import TEXT\n" + SERVER.replace(b'description="', b'description=TEXT + "', 1)
    victim = Victim(tmp_path, {"server.py": server})
    (victim.outside / "shared.py").write_bytes(b"TEXT = 'secret'\n")
    victim.link("shared.py", "../outside/shared.py")
    ended = pdmigrate("extract", victim.root, "--no-write", *VERSIONS)
    assert "description of find_note: shared.TEXT is not of this project" in ended.stdout
    assert "secret" not in ended.stdout


def test_folders_swapped_for_links_while_they_are_walked_are_not_followed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked about before, another when it is opened: what counts is what is opened."""
    real = os.open

    def swapped(path: str, *arguments: int, **options: int) -> int:
        if path == "a.py" and not (root / "pkg").is_symlink():
            (root / "pkg").rename(root / "was")
            (root / "pkg").symlink_to("../outside")
            (root.parent / "outside/a.py").write_bytes(b"secret")
        return real(path, *arguments, **options)

    monkeypatch.setattr(os, "open", swapped)
    assert disk.read(root, "pkg/a.py") == b"a"
    monkeypatch.undo()
    with pytest.raises(disk.RefusedError, match="leads out"):
        disk.read(root, "pkg/a.py")


def test_a_package_that_is_not_installed_has_no_metadata() -> None:
    assert disk.installed("no-package-of-this-name") is None
    found = disk.installed("pydantic")
    assert found is not None
    assert found.endswith(".dist-info")
