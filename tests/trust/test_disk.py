"""The door itself: what it opens, what it refuses, and that nothing but ``pdmigrate/disk`` touches the disk."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Iterator
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
    assert disk.installed(("no-package-of-this-name",)) == []
    core, found = disk.installed(("pydantic", "pydantic_core"))
    assert (core.endswith(".dist-info"), Path(found).name.partition("-")[0]) == (True, "pydantic_core")


PACKAGE = Path(disk.__file__).parents[1]
DOOR = "disk/"

NO_PLACE = frozenset(
    {"environ", "fspath", "fsencode", "fsdecode", "sep", "pathsep", "devnull", "getpid", "urandom", "PathLike"}
    | {"DirEntry", "strerror", "stat_result", "path"}
)
"""What ``os`` has that goes nowhere: names, the environment, randomness."""
OF_DESCRIPTORS = frozenset({"read", "write", "close", "fstat", "lseek", "truncate", "set_blocking"})
"""What ``os`` does to a file that is open already; the door has opened it, or it is a pipe.  All are given a number."""
OF_PROCESSES = frozenset({"waitid", "P_PID", "WEXITED", "WNOHANG", "WNOWAIT", "killpg", "SEEK_SET", "cpu_count"})
OF_PROCESSES |= {"fork", "pipe", "kill", "waitpid", "_exit", "sched_getaffinity"}
OF_NAMES = frozenset({"join", "dirname", "basename", "split", "splitext", "normpath", "relpath", "abspath", "isabs"})
"""What ``os.path`` does to text alone."""

OF_PATHS = frozenset(
    {"read_text", "read_bytes", "write_text", "write_bytes", "unlink", "iterdir", "rglob", "is_file", "is_dir"}
    | {"is_symlink", "is_mount", "is_socket", "is_fifo", "is_block_device", "is_char_device", "is_junction", "exists"}
    | {"stat", "lstat", "mkdir", "rmdir", "chmod", "lchmod", "symlink_to", "hardlink_to", "readlink", "samefile"}
    | {"expanduser"}
)
"""The methods by which a ``Path`` touches the disk, under names that little else has."""
INDEX = re.compile(r"disk|self|(\w+\.)*index")
"""The door, and the index of modules, which asks it."""
MODULES = frozenset(
    {"shutil", "tempfile", "glob", "fileinput", "linecache", "mmap", "dbm", "shelve", "sqlite3", "zipfile"}
)
MODULES |= {"tarfile", "importlib.resources", "importlib.metadata", "pkgutil", "fcntl", "msvcrt"}

ALLOWED = {
    ("__main__.py", "os.getcwd"): "compares the current folder with sys.path, before anything is imported",
    ("cli/apply.py", "import glob"): "escapes the name of a tool for a pattern of names",
    ("understand/evaluation.py", "import pkgutil"): "lists modules of this package, to import them",
    ("migrate/write/exclusive.py", "import fcntl"): "locks a file that the door has opened",
    ("migrate/write/exclusive.py", "import msvcrt"): "locks a file that the door has opened",
}
"""Everything else that looks like the disk, each with the reason for which it is none."""


def uses(tree: ast.AST) -> Iterator[str]:
    """What in a module looks as if it touched the disk."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (f"import {alias.name}" for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom):
            names = {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
            yield from (f"import {name}" for name in sorted(names & MODULES) if node.level == 0)
            if node.module in ("os", "os.path", "posix", "nt"):
                yield f"from {node.module} import"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("open", "execfile"):
            yield "open()"
        elif isinstance(node, ast.Attribute):
            yield from _attribute(node)
    yield from _ambiguous(tree)


def _attribute(node: ast.Attribute) -> Iterator[str]:
    text = ast.unparse(node)
    if text.startswith("os.path.") and text.count(".") == 2:
        if node.attr not in OF_NAMES:
            yield text
    elif text.startswith("os.") and text.count(".") == 1:
        if node.attr not in NO_PLACE | OF_DESCRIPTORS | OF_PROCESSES:
            yield text
    elif node.attr in OF_PATHS and not INDEX.fullmatch(ast.unparse(node.value)):
        yield f".{node.attr}"


def _ambiguous(tree: ast.AST) -> Iterator[str]:
    """Methods of ``Path`` whose names others have too, told by how they are called."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        name, owner = node.func.attr, ast.unparse(node.func.value)
        if owner in ("disk", "dataclasses"):
            continue
        if name == "glob" or (name == "home" and owner.endswith("Path")):
            yield f".{name}()"
        if name in ("resolve", "touch") and not node.args:
            yield f".{name}()"
        if name in ("replace", "rename") and len(node.args) == 1 and not node.keywords:
            yield f".{name}(target)"
        if name == "open" and (not node.args or owner in ("io", "codecs")) and not owner.endswith("opener"):
            yield ".open()"


SOURCES = [
    path
    for file in sorted(PACKAGE.rglob("*.py"))
    if not (path := file.relative_to(PACKAGE).as_posix()).startswith(DOOR)
]


@pytest.mark.parametrize("path", SOURCES)
def test_the_source_has_no_other_way(path: str) -> None:
    found = {use for use in uses(ast.parse((PACKAGE / path).read_bytes())) if (path, use) not in ALLOWED}
    assert found == set()


def test_what_is_allowed_is_there() -> None:
    stale = [(path, use) for path, use in ALLOWED if use not in set(uses(ast.parse((PACKAGE / path).read_bytes())))]
    assert stale == []


OTHER_WAYS = [
    "open('x')", "from os import open", "import os\nos.unlink('x')", "import os\nos.path.exists('x')", "p.read_text()",
    "import shutil", "import tempfile", "from importlib import resources", "p.resolve()", "p.replace(q)",
    "p.open()", "p.touch()", "(a / b).iterdir()", "import os\nos.replace('a', 'b')", "p.rename(q)",
    "import io\nio.open(p)", "Path.home()",
]  # fmt: skip


@pytest.mark.parametrize("source", OTHER_WAYS)
def test_the_walk_sees_other_ways(source: str) -> None:
    assert list(uses(ast.parse(source)))
