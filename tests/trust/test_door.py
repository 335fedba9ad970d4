"""Nothing but ``pdmigrate/disk`` touches the disk: shown on the source, and on runs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import pdmigrate

PACKAGE = Path(pdmigrate.__file__).parent
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
    ("audit/leaving.py", "import glob"): "escapes the name of a tool for a pattern of names",
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
