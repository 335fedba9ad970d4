"""Which folder is the root, what a part of a project is, and what several servers of one keep when others join."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.project.loading import find_root
from tests.layouts.living import migrated
from tests.layouts.servers import DROP, FIND, GUARD, SDK, handlers, joined, listing, module, run
from tests.layouts.test_layouts import PROJECT
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import tree, write
from tests.support.processes import run as run_process
from tests.support.repositories import committed, git
from tests.support.sources import decorated

FINDER = joined(f'{SDK}\nserver = Server("finder")', handlers(tools=FIND), run(), GUARD)
DROPPER = joined(f'{SDK}\nserver = Server("dropper")', handlers(tools=DROP), run(), GUARD)
CALL = handlers().partition("\n\n\n")[2]
TOOLS = joined("import mcp.types as types", f"async def list_tools() -> list[types.Tool]:\n{listing()}")


def _checked(root: Path) -> None:
    ran = pdmigrate("apply", "--all", root, "--check", *VERSIONS)
    assert (ran.status, ran.stdout) == (0, ""), ran


def test_servers_of_one_folder_can_be_migrated_one_by_one(tmp_path: Path) -> None:
    root = write(tmp_path, {"pyproject.toml": PROJECT, "find.py": FINDER, "drop.py": DROPPER})
    before = tree(root)
    migrated(root / "find.py")
    assert tree(root)["drop.py"] == before["drop.py"]
    assert {"progressive_disclosure.py", "tool_descriptions/finder/find_note.json"} < tree(root).keys()
    assert not any(path.startswith("tool_descriptions/dropper") for path in tree(root))
    first = tree(root)
    migrated(root / "drop.py")
    now = tree(root)
    assert {path for path in first if ".pdmigrate" not in path and first[path] != now[path]} == {"drop.py"}
    assert b'descriptions="finder"' in now["find.py"]
    assert b'descriptions="dropper"' in now["drop.py"]
    _checked(root)
    assert pdmigrate("revert", root).status == 0
    assert tree(root) == before


def test_a_server_keeps_its_home_when_another_joins_it(tmp_path: Path) -> None:
    root = write(tmp_path / "project", {"pyproject.toml": PROJECT, "find.py": FINDER})
    migrated(root)
    first = tree(root)
    assert {"progressive_disclosure.py", "tool_descriptions/find_note.json"} < first.keys()
    write(root, {"drop.py": DROPPER})
    migrated(root)
    now = tree(root)
    changed = {path for path in first if ".pdmigrate" not in path and first[path] != now[path]}
    assert changed == {"progressive_disclosure.py"}, "which has to know now that there are several"
    assert {"tool_descriptions/dropper/_server.json", "tool_descriptions/dropper/drop_note.json"} < now.keys()
    assert [path for path in now if "progressive_disclosure" in path] == ["progressive_disclosure.py"]
    _checked(root)


def test_a_server_keeps_its_home_when_it_is_renamed_or_left_alone(tmp_path: Path) -> None:
    root = write(tmp_path, {"pyproject.toml": PROJECT, "find.py": FINDER, "drop.py": DROPPER})
    migrated(root)
    file = root / "find.py"
    file.write_text(file.read_text().replace('Server("finder")', 'Server("seeker")'))
    migrated(root)
    folders = {path.rpartition("/")[0] for path in tree(root) if path.startswith("tool_descriptions/")}
    assert folders == {"tool_descriptions/finder", "tool_descriptions/dropper"}
    (root / "drop.py").unlink()
    ran = migrated(root)
    assert "tool_descriptions/dropper/drop_note.json:1: PD410 warning: " in ran.stderr
    _checked(root)
    assert "tool_descriptions/finder/find_note.json" in tree(root)


def test_what_two_servers_list_stays_in_code_also_when_one_of_them_is_named(tmp_path: Path) -> None:
    head = f'{SDK}\nfrom tools import list_tools\n\nserver = Server("NAME")\nserver.list_tools()(list_tools)'
    server = joined(head, CALL, run(), GUARD)
    files = {path: server.replace("NAME", path[0]) for path in ("a.py", "b.py")}
    root = write(tmp_path, {"pyproject.toml": PROJECT, "tools.py": TOOLS, **files})
    before = tree(root)
    ran = migrated(root / "a.py")
    assert "found 2 = moved 0 + stubbed 2" in ran.stderr
    assert "several servers list it" in ran.stderr
    now = tree(root)
    assert {path for path in before if before[path] != now[path]} == {"a.py"}


def test_the_findings_of_other_parts_are_not_said(tmp_path: Path) -> None:
    broken = "from mcp.server import Server\ndef (\n"
    root = write(tmp_path, {"pyproject.toml": PROJECT, "find/server.py": FINDER, "drop/server.py": broken})
    assert "PD101" in pdmigrate("apply", "--all", root, *VERSIONS).stderr
    ran = pdmigrate("apply", "--all", root / "find", *VERSIONS)
    assert (ran.status, "PD101" in ran.stderr, "found 1 = moved 1" in ran.stderr) == (0, False, True)


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
    run_process(*command, given=ran.stdout)
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
FIND_NOTE = {"find_note(text: str)": "Find notes by their text. The newest comes first, and no note comes twice."}
USING = decorated("notes", FIND_NOTE, package="notes.base").replace("FastMCP", "Notes")
PACKAGE = {"notes/__init__.py": "", "notes/base.py": CLASSES, "notes/server.py": USING}
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
