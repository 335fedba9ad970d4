"""By which name a server's file imports its generated module."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest

from pdmigrate.describe.homes import Home
from pdmigrate.migrate.plan.importing import Around, import_of
from pdmigrate.project.running import PACKAGE, PACKAGED, PROJECT, SCRIPT, ways_of
from pdmigrate.source.outline import parse
from pdmigrate.source.source import read_source
from tests.support.files import write

FILE = "pkg/server.py"
RELATIVE, ABSOLUTE, BARE = ".progressive_disclosure", "pkg.progressive_disclosure", "progressive_disclosure"
INIT = "pkg/__init__.py"
GUARD = 'if __name__ == "__main__":\n    main()\n'


def names(text: str, tree: Collection[str], ways: Collection[str] = (), *, file: str = FILE) -> list[str]:
    folder = file[: file.rfind("/") + 1]
    home = Home(f"{folder}progressive_disclosure.py", f"{folder}tool_descriptions")
    return [*import_of(home, parse(read_source(file, text.encode())), Around(tree, ways)).names]


OWN = {
    "relative imports": ("from . import db\n", {INIT}, [RELATIVE]),
    "an import in a function": ("def f():\n    from .db import x\n", set(), [RELATIVE]),
    "an import in a function of a script": (f"def f():\n    from .db import x\n{GUARD}", {INIT}, [RELATIVE, BARE]),
    "relative imports in a function and above": (
        f"from .db import x\ndef f():\n    from .db import y\n{GUARD}",
        {INIT},
        [RELATIVE],
    ),
    "an import that may fail in a script": (
        f"try:\n    from .db import x\nexcept ImportError:\n    x = None\n{GUARD}",
        {INIT},
        [RELATIVE, BARE],
    ),
    "a script with a sibling": ("import db\n", {"pkg/db.py"}, [BARE]),
    "absolute": ("from pkg.db import x\n", {INIT, "pkg/db.py"}, [ABSOLUTE]),
    "a sibling with the name of the folder": ("import pkg\n", {"pkg/pkg.py"}, [BARE]),
    "relative and absolute": ("from pkg.db import x\nfrom . import y\n", {INIT}, [RELATIVE]),
    "a sibling named like the standard library": ("import types\n", {INIT, "pkg/types.py"}, [RELATIVE]),
    "either way": (
        "try:\n    from .db import x\nexcept ImportError:\n    from db import x\n",
        {INIT, "pkg/db.py"},
        [RELATIVE, BARE],
    ),
    "by the package or the folder": (
        "if __package__:\n    from pkg.db import x\nelse:\n    import db\n",
        {INIT, "pkg/db.py"},
        [ABSOLUTE, BARE],
    ),
}


@pytest.mark.parametrize(("text", "tree", "expected"), OWN.values(), ids=OWN)
def test_a_file_goes_on_importing_as_it_does(text: str, tree: set[str], expected: list[str]) -> None:
    assert names(text, tree) == expected


POSSIBLE = {
    "a package": ("", {INIT}, set(), [RELATIVE]),
    "a package that can be run": (GUARD, {INIT}, set(), [RELATIVE, BARE]),
    "a package that its neighbours import": ("", {INIT}, {PACKAGE}, [RELATIVE]),
    "a package that is installed, and run by its path": (GUARD, {INIT}, {PACKAGE, PROJECT}, [ABSOLUTE]),
    "a package whose neighbours are scripts": ("", {INIT}, {SCRIPT}, [BARE]),
    "a folder of modules": ("", set(), set(), [BARE]),
    "a script that is run with -m": (GUARD, set(), {PACKAGE}, [RELATIVE, BARE]),
    "a script that starts without a guard": (
        "import asyncio\nasyncio.run(main())\n",
        set(),
        {PACKAGE},
        [RELATIVE, BARE],
    ),
    "an import in a function of a module": ("def f():\n    from .db import x\n", {INIT}, {PACKAGE}, [RELATIVE]),
    "a call that starts nothing": ("print()\n", set(), set(), [BARE]),
    "a sibling found by a path that is set": ("import db\n", {INIT, "pkg/db.py"}, {PACKAGE}, [RELATIVE, BARE]),
}


@pytest.mark.parametrize(("text", "tree", "ways", "expected"), POSSIBLE.values(), ids=POSSIBLE)
def test_a_file_without_own_imports_is_imported_as_it_may_be_run(
    text: str, tree: set[str], ways: set[str], expected: list[str]
) -> None:
    assert names(text, tree, ways) == expected


def test_a_nested_package_is_named_from_its_outermost_folder() -> None:
    tree = {"src/a/__init__.py", "src/a/b/__init__.py"}
    assert names("import a.b.util\n", tree, file="src/a/b/server.py") == ["a.b.progressive_disclosure"]


APP = "src/app/__init__.py"
WHOLE = "app.mcp.progressive_disclosure"
PART = {
    "known by the package, which it imports": (f"import app\n{GUARD}", {APP}, {PACKAGE}, [WHOLE]),
    "deeper": ("import a\n", {APP, "src/__init__.py"}, {PACKAGE}, [RELATIVE]),
    "known by nobody": (f"import app\n{GUARD}", {APP}, set(), [BARE]),
    "without an import": (GUARD, {APP}, {PACKAGE}, [RELATIVE, BARE]),
    "an import in a function": (f"def f():\n    import app\n{GUARD}", {APP}, {PACKAGE}, [RELATIVE, BARE]),
    "relative imports": ("from . import db\n", {APP}, {PACKAGE}, [RELATIVE]),
}


@pytest.mark.parametrize(("text", "tree", "ways", "expected"), PART.values(), ids=PART)
def test_a_part_of_a_package_without_an_init(text: str, tree: set[str], ways: set[str], expected: list[str]) -> None:
    assert names(text, tree, ways, file="src/app/mcp/server.py") == expected


AT_THE_ROOT = {
    "a script": (GUARD, set(), [BARE]),
    "a package": ("", {"__init__.py"}, [RELATIVE]),
    "a script beside a stray __init__": (GUARD, {"__init__.py"}, [RELATIVE, BARE]),
}


@pytest.mark.parametrize(("text", "tree", "expected"), AT_THE_ROOT.values(), ids=AT_THE_ROOT)
def test_a_file_at_the_root(text: str, tree: set[str], expected: list[str]) -> None:
    assert names(text, tree, file="server.py") == expected


def test_what_a_package_is_made_of_is_no_script() -> None:
    assert names(GUARD, {INIT}, file=INIT) == [RELATIVE]


NEIGHBOURS = {
    "relative": ("from .server import main\n", {PACKAGE}),
    "by the folder": ("from src.pkg.server import main\n", {PACKAGE}),
    "from the folder": ("from pkg import server\n", {PACKAGE}),
    "by its name": ("from server import main\n", {SCRIPT}),
    "as a module": ("    import server\n", {SCRIPT}),
    "a longer name": ("import servers\nfrom .server_tools import x\nfrom mcp.server import Server\n", set()),
    "above, relative": ("from .pkg.server import main\n", {PACKAGE}),
    "above, absolute": ("from src.pkg.server import main\n", {PACKAGE}),
    "above, as a module": ("import pkg.server\n", {PACKAGE}),
    "above, one of its own": ("from server import main\nfrom .server import main\n", set()),
}


@pytest.mark.parametrize(("text", "expected"), NEIGHBOURS.values(), ids=NEIGHBOURS)
def test_neighbours_and_those_above_tell_how_a_file_is_known(
    text: str, expected: set[str], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    other = "src/main.py" if "[above" in request.node.name else "src/pkg/other.py"
    write(tmp_path, {"src/pkg/server.py": "from . import server\n", other: text})
    assert ways_of(tmp_path, ("src/pkg/server.py",), ())["src/pkg/server.py"] == expected


@pytest.mark.parametrize(
    ("script", "file", "expected"),
    [
        ("pkg.server", FILE, {PACKAGE}),
        ("a.pkg.server", FILE, {PACKAGE}),
        ("server", "server.py", {SCRIPT}),
        ("pkg", INIT, {PACKAGE}),
        ("other.server", FILE, set()),
        ("pkg.other", FILE, set()),
    ],
)
def test_console_scripts_tell_too(script: str, file: str, expected: set[str], tmp_path: Path) -> None:
    assert ways_of(tmp_path, (file,), (script,))[file] == expected


SERVER = f"def main(): ...\n\n\n{GUARD}"
SAID = {
    "nothing": ("README.md", "The server is in `pkg/server.py`, and `server.py` is all there is to it.\n", set()),
    "by its path": ("README.md", "    python3 pkg/server.py --verbose\n", {SCRIPT}),
    "from its folder": ("README.md", "$ cd pkg && python server.py\n", {SCRIPT}),
    "a file of another folder": ("README.md", "python examples/server.py\n", set()),
    "as a module": ("Dockerfile", 'CMD ["python", "-m", "pkg.server"]\n', {PACKAGE}),
    "by a web server": ("Procfile", "web: uvicorn pkg.server:app\n", {PACKAGE}),
    "in both ways": ("Makefile", "run:\n\tpython -m pkg.server\n\tpython pkg/server.py\n", {PACKAGE, SCRIPT}),
    "by a host": ("mcp.json", '{"a": {"command": "python", "args": ["/x/pkg/server.py"]}}\n', {SCRIPT}),
    "by a host, with uv": (
        "README.md",
        '{"command": "uv",\n "args": ["--directory", "/x", "run",\n "server.py"]}',
        {SCRIPT},
    ),
    "by uv": ("README.md", "uv run pkg/server.py\n", {SCRIPT}),
    "by the inspector": ("README.md", "mcp dev pkg/server.py\n", {SCRIPT}),
}


@pytest.mark.parametrize(("document", "text", "expected"), SAID.values(), ids=SAID)
def test_what_the_project_says_tells(document: str, text: str, expected: set[str], tmp_path: Path) -> None:
    write(tmp_path, {"pkg/server.py": "X = 1\n", document: text})
    assert ways_of(tmp_path, (FILE,), ())[FILE] == expected


@pytest.mark.parametrize("title", ["by a host, with uv", "by uv", "by the inspector"])
def test_what_runs_a_project_that_is_packaged_has_installed_it(title: str, tmp_path: Path) -> None:
    document, text, _ = SAID[title]
    write(tmp_path, {"pkg/server.py": "X = 1\n", document: text})
    assert ways_of(tmp_path, (FILE,), ("pkg.server",))[FILE] == {PACKAGE, PROJECT}


BUILT = {"pyproject.toml": "[build-system]\n"}
"""uv runs a project that does not say how it is built without installing it."""


def test_a_module_that_starts_itself_in_a_packaged_project_is_run_where_that_is_installed(tmp_path: Path) -> None:
    write(tmp_path, {"pkg/server.py": SERVER})
    assert ways_of(tmp_path, (FILE,), ("pkg.server",))[FILE] == {PACKAGE, SCRIPT}
    write(tmp_path, BUILT)
    assert ways_of(tmp_path, (FILE,), ("pkg.server",))[FILE] == {PACKAGE, PACKAGED, PROJECT}
    assert ways_of(tmp_path, (FILE,), ("other",))[FILE] == {PACKAGED}


def test_a_package_that_is_installed_by_a_longer_name_is_not_imported_by_the_shorter_one(tmp_path: Path) -> None:
    file = "src/pkg/server.py"
    (tmp_path / "src" / "pkg").mkdir(parents=True)
    (tmp_path / file).write_text(SERVER)
    readme = {"README.md": "uv run src/pkg/server.py\n"}
    write(tmp_path, {**BUILT, **readme, "src/pkg/__init__.py": "from . import server\n"})
    (tmp_path / "__init__.py").touch()
    assert ways_of(tmp_path, (file,), ("src.pkg",))[file] == {PACKAGE, PACKAGED, SCRIPT}
    assert ways_of(tmp_path, (file,), ("pkg",))[file] == {PACKAGE, PACKAGED, PROJECT}


def test_an_init_at_the_root_is_no_package_above_it(tmp_path: Path) -> None:
    write(tmp_path, BUILT)
    for path in ("__init__.py", "pkg/__init__.py"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).touch()
    (tmp_path / FILE).write_text(SERVER)
    assert ways_of(tmp_path, (FILE, "__init__.py"), ("pkg.server",))[FILE] == {PACKAGE, PACKAGED, PROJECT}
