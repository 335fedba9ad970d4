"""Which folder is the root, what the patch is relative to, and what a part of a project is."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.project.loading import find_root
from tests.layouts.living import migrated
from tests.layouts.servers import module
from tests.layouts.trees import PROJECT
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import tree, write
from tests.support.processes import run
from tests.support.repositories import committed, git

P, SITE = ".cache/x/p/b.py", "venv/lib/site-packages"
ROOTS = {
    "the folder itself": ({"a.py": ""}, ".", ".", "."),
    "a folder without a mark": ({"a/b.py": ""}, "a", "a", "."),
    "a file of a package without a mark": ({"p/__init__.py": "", "p/b.py": ""}, "p/b.py", ".", "p/b.py"),
    "a package that is a project": ({"p/__init__.py": "", "p/setup.cfg": ""}, "p", "p", "."),
    "below a setup.py": ({"setup.py": "import setuptools", "src/a/b.py": ""}, "src/a/b.py", ".", "src/a/b.py"),
    "below a repository": ({".git/HEAD": "", "src/b.py": ""}, "src", ".", "src"),
    "the nearest build file": ({"pyproject.toml": "", "p/setup.cfg": "", "p/src/b.py": ""}, "p/src", "p", "src"),
    "what was migrated wins": ({".pdmigrate/lock.json": "{}", "p/pyproject.toml": "", "p/b.py": ""}, "p", ".", "p"),
    "below a cache of a project": (
        {"pyproject.toml": "", ".cache/x/source/b.py": ""},
        ".cache/x/source",
        ".cache/x/source",
        ".",
    ),
    "a project below a cache": ({"setup.cfg": "", ".cache/x/setup.cfg": "", P: ""}, ".cache/x/p", ".cache/x", "p"),
    "an installed package": ({"setup.cfg": "", f"{SITE}/p/__init__.py": ""}, f"{SITE}/p", SITE, "p"),
    "a folder of a similar name": ({"setup.cfg": "", ".cached/b.py": ""}, ".cached", ".", ".cached"),
    "a state folder without a lock is none": ({".pdmigrate/x": "", "p/pyproject.toml": ""}, "p", "p", "."),
}


@pytest.mark.parametrize(("files", "path", "root", "only"), ROOTS.values(), ids=ROOTS)
def test_the_root(files: dict[str, str], path: str, root: str, only: str, tmp_path: Path) -> None:
    write(tmp_path, files)
    assert find_root(tmp_path / path) == ((tmp_path / root).resolve(), only)


def test_a_link_leads_to_the_project_that_it_points_into(tmp_path: Path) -> None:
    write(tmp_path, {"p/pyproject.toml": "", "p/src/a.py": ""})
    (tmp_path / "link").symlink_to("p/src")
    assert find_root(tmp_path / "link") == ((tmp_path / "p").resolve(), "src")


FILES = {"packages/notes/pyproject.toml": PROJECT, "packages/notes/src/notes/server.py": module()}


@pytest.mark.parametrize(
    ("repository", "folder"),
    [(True, "packages/notes/src"), (True, "packages"), (False, "packages/notes"), (False, ".")],
)
def test_the_patch_applies_where_it_is_made_or_the_way_is_said(
    repository: bool, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = write(tmp_path / "top", FILES)
    if repository:
        committed(top)
    root = top / "packages/notes"
    target = root / "src/notes/server.py" if repository else root
    monkeypatch.chdir(top / folder)
    ran = pdmigrate("apply", "--all", target, *VERSIONS)
    assert ran.status == 0
    command = ["git", "apply"]
    here = {".": repository, "packages": repository, "packages/notes": True, "packages/notes/src": False}[folder]
    assert ("the patch applies with" in ran.stderr) is not here
    if not here:
        [said] = [line for line in ran.stderr.splitlines() if line.startswith("the patch applies with ")]
        assert said == f"the patch applies with `git -C {root} apply`"
        command = ["git", "-C", str(root), "apply"]
    run(*command, given=ran.stdout)
    patched = tree(top)
    assert "packages/notes/.pdmigrate/lock.json" in patched
    assert pdmigrate("apply", "--all", target, "--check", *VERSIONS).stdout == ""
    assert tree(top) == patched


def test_the_patch_of_a_revert_applies_below_the_top_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = committed(write(tmp_path / "top", FILES))
    before = tree(top)
    monkeypatch.chdir(top / "packages/notes")
    migrated(Path())
    ran = pdmigrate("revert", "--dry-run")
    assert "the patch applies with" not in ran.stderr
    git(Path(), "apply", given=ran.stdout.encode())
    assert tree(top) == before


def test_state_and_settings_are_those_of_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = PROJECT + "\n[tool.pdmigrate]\nhttp = 'enforce'\n"
    top = write(tmp_path / "top", {**FILES, "packages/notes/pyproject.toml": settings})
    monkeypatch.chdir(top / "packages/notes/src/notes")
    migrated(Path())
    assert b'http="enforce"' in (top / "packages/notes/src/notes/server.py").read_bytes()
    assert "packages/notes/.pdmigrate/lock.json" in tree(top)
    assert [path for path in tree(top) if path.endswith("lock.json")] == ["packages/notes/.pdmigrate/lock.json"]


CLASSES = "from mcp.server.fastmcp import FastMCP\n\n\nclass Notes(FastMCP):\n    pass\n"
USING = '''\
from notes.base import Notes
from notes.texts import LIMIT

mcp = Notes("notes")


@mcp.tool()
def find_note(text: str, limit: int = LIMIT) -> str:
    """Find notes by their text. The newest comes first, and no note comes twice."""
    return text
'''
PACKAGE = {"notes/__init__.py": "", "notes/base.py": CLASSES, "notes/texts.py": "LIMIT = 3\n", "notes/server.py": USING}
PATHS = ("lib/notes", "lib/notes/server.py", "lib")


@pytest.mark.parametrize("marked", [True, False])
def test_a_package_is_the_same_whatever_the_user_types(marked: bool, tmp_path: Path) -> None:
    patches = set()
    for number, path in enumerate(PATHS):
        root = write(tmp_path / str(number), {f"lib/{name}": text for name, text in PACKAGE.items()})
        if marked:
            write(root, {"lib/pyproject.toml": PROJECT})
        elif path == "lib/notes":
            # Whatever lies beside a package that belongs to no project is not looked at.
            write(root, {"lib/other/server.py": "from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP('x')\n"})
        patches.add(pdmigrate("apply", "--all", root / path, *VERSIONS).stdout)
    assert len(patches) == 1
    assert "+enable(mcp" in patches.pop()
