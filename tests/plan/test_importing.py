"""By which name a server's file imports its generated module."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.describe.homes import Home
from pdmigrate.migrate.plan.importing import Around, imports_of
from pdmigrate.project.running import INSTALLED, PACKAGE, SCRIPT, ways_of
from pdmigrate.source.outline import parse
from pdmigrate.source.source import read_source
from tests.support.files import write

FILE = "pkg/server.py"
RELATIVE, ABSOLUTE, BARE = ".progressive_disclosure", "pkg.progressive_disclosure", "progressive_disclosure"
EITHER = [RELATIVE, BARE]
INIT = "pkg/__init__.py"
GUARD = 'if __name__ == "__main__":\n    main()\n'


def imported(
    text: str, tree: Collection[str] = (), ways: Collection[str] = (), file: str = FILE, libraries: Collection[str] = ()
) -> tuple[list[str], str]:
    """The names, the alternative last, and the import below which the last of them goes, if it needs the code above."""
    folder = file[: file.rfind("/") + 1]
    home = Home(f"{folder}progressive_disclosure.py", f"{folder}tool_descriptions")
    source = read_source(file, text.encode())
    outline = parse(source)
    found = imports_of(home, outline, Around(tree, ways, libraries), len(text))
    beside = found[-1].beside
    return [name for one in found for name in (one.name, one.otherwise) if name], source.code(
        outline.span(beside)
    ) if beside else ""


IN_FUNCTION = "def f():\n    from .db import x\n"
APP, DEEP = "src/app/__init__.py", "src/app/mcp/server.py"
NESTED = {"src/a/__init__.py", "src/a/b/__init__.py"}
EITHER_WAY = "try:\n    from .db import x\nexcept ImportError:\n    from db import x\n"
BY_PACKAGE = "if __package__:\n    from pkg.db import x\nelse:\n    import db\n"
CLICK, COMMAND = "src/click/__init__.py", "src/click/server.py"
LIKE_A_LIBRARY = "import click as lib\nfrom click.core import Group\nfrom shapes import LIMIT\n"
MAY_FAIL = f"try:\n    from .db import x\nexcept ImportError:\n    x = None\n{GUARD}"
NAMES: dict[str, tuple[list[str], tuple[Any, ...]]] = {
    # A file goes on importing as it does.
    "relative imports": ([RELATIVE], ("from . import db\n", {INIT})),
    "an import in a function": (EITHER, (IN_FUNCTION,)),
    "an import in a function of a script": (EITHER, (IN_FUNCTION + GUARD, {INIT})),
    "relative imports in a function and above": ([RELATIVE], (f"from .db import x\n{IN_FUNCTION}{GUARD}", {INIT})),
    "an import that may fail in a script": (EITHER, (MAY_FAIL, {INIT})),
    "a script with a sibling": ([BARE], ("import db\n", {"pkg/db.py"})),
    "absolute": ([ABSOLUTE], ("from pkg.db import x\n", {INIT, "pkg/db.py"})),
    "a sibling with the name of the folder": ([BARE], ("import pkg\n", {"pkg/pkg.py"})),
    "relative and absolute": ([RELATIVE], ("from pkg.db import x\nfrom . import y\n", {INIT})),
    "a sibling named like the standard library": ([RELATIVE], ("import types\n", {INIT, "pkg/types.py"})),
    "either way": ([RELATIVE, BARE], (EITHER_WAY, {INIT, "pkg/db.py"})),
    "by the package or the folder": ([ABSOLUTE, BARE], (BY_PACKAGE, {INIT, "pkg/db.py"})),
    "a nested package": (["a.b.progressive_disclosure"], ("import a.b.util\n", NESTED, (), "src/a/b/server.py")),
    # A package may be named like a library that the project requires.
    "a library and a sibling": (
        [BARE],
        (LIKE_A_LIBRARY, {CLICK, "src/click/shapes.py"}, {PACKAGE, INSTALLED}, COMMAND),
    ),
    "a library": (EITHER, (f"import click as lib\n{GUARD}", {CLICK}, {PACKAGE, INSTALLED}, COMMAND, {"click"})),
    # A file without imports of its own is imported as it may be run.
    "a package": ([RELATIVE], ("", {INIT})),
    "a package that can be run": ([BARE], (GUARD, {INIT})),
    "what a package is made of is no script": ([RELATIVE], (GUARD, {INIT}, (), INIT)),
    "a package that its neighbours import": ([RELATIVE], ("", {INIT}, {PACKAGE})),
    "a package that is installed": ([ABSOLUTE], (GUARD, {INIT}, {PACKAGE, INSTALLED})),
    "an import in a function of what is installed": ([ABSOLUTE], (IN_FUNCTION, (), {PACKAGE, INSTALLED})),
    "a package whose neighbours are scripts": ([BARE], ("", {INIT}, {SCRIPT})),
    "a package whose neighbours know it in two ways": (EITHER, (GUARD, {INIT}, {PACKAGE, SCRIPT})),
    "a folder of modules": ([BARE], ("",)),
    "a script that is run with -m": (EITHER, (GUARD, set(), {PACKAGE})),
    "a script without a guard": ([BARE], ("import asyncio\nasyncio.run(main())\n", {INIT})),
    "an import in a function of a module": ([RELATIVE], (IN_FUNCTION, {INIT}, {PACKAGE})),
    "a call that starts nothing": ([BARE], ("print()\n",)),
    "a sibling found by a path that is set": ([BARE], ("import db\n", {INIT, "pkg/db.py"}, {PACKAGE})),
    "at the root, a script": ([BARE], (GUARD, set(), (), "server.py")),
    "at the root, a package": ([RELATIVE], ("", {"__init__.py"}, (), "server.py")),
    "at the root, beside a stray __init__": ([BARE], (GUARD, {"__init__.py"}, (), "server.py")),
    # A folder without an __init__ in a package.
    "known by the package": (
        ["app.mcp.progressive_disclosure"],
        ("from app import db\n", {APP, "src/app/db.py"}, (), DEEP),
    ),
    "deeper": ([RELATIVE], ("import a\n", {APP, "src/__init__.py"}, {PACKAGE}, DEEP)),
    "known by nobody": ([BARE], (f"import app\n{GUARD}", {APP}, (), DEEP)),
    "without an import": (EITHER, (GUARD, {APP}, {PACKAGE}, DEEP)),
    "relative imports there": ([RELATIVE], ("from . import db\n", {APP}, {PACKAGE}, DEEP)),
}


@pytest.mark.parametrize("case", NAMES)
def test_the_name_of_the_module(case: str) -> None:
    expected, arguments = NAMES[case]
    assert imported(*arguments)[0] == expected


SRC = {"src/notes/__init__.py", "src/notes/store.py"}
FROM_ROOT = (
    "try:\n    from . import store\nexcept ImportError:\n    sys.path.insert(0, R)\n    from src.notes import store\n"
)
PATH_SET = "import sys\n\nsys.path.insert(0, '..')\nfrom app.core import store\n"
AFTER: dict[str, tuple[list[str], str, tuple[Any, ...]]] = {
    "from the root that is put on the path": (
        [RELATIVE, "src.notes.progressive_disclosure"],
        "from src.notes import store",
        (FROM_ROOT, SRC, {PACKAGE, INSTALLED}, "src/notes/main.py"),
    ),
    "absolute, after the path is set": (
        ["app.core.progressive_disclosure"],
        "from app.core import store",
        (PATH_SET, {"app/core/__init__.py", "app/core/store.py"}, (), "app/core/main.py"),
    ),
    "a sibling": ([BARE], "import db", ("import db\n", {"pkg/db.py"})),
}


@pytest.mark.parametrize("case", AFTER)
def test_the_import_goes_after_one_that_may_need_the_code_above_it(case: str) -> None:
    names, after, arguments = AFTER[case]
    assert imported(*arguments) == (names, after)


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
        ("pkg.server", FILE, {PACKAGE, INSTALLED}),
        ("a.pkg.server", FILE, {PACKAGE}),
        ("server", "server.py", {SCRIPT}),
        ("pkg", INIT, {PACKAGE, INSTALLED}),
        ("other.server", FILE, set()),
        ("pkg.other", FILE, {INSTALLED}),
    ],
)
def test_console_scripts_tell_too(script: str, file: str, expected: set[str], tmp_path: Path) -> None:
    assert ways_of(tmp_path, (file,), (script,))[file] == expected


SAID = {
    "nothing": ("README.md", "The server is in `pkg/server.py`, and `server.py` is all there is to it.\n", set()),
    "by its path": ("README.md", "    python3 pkg/server.py --verbose\n", set()),
    "as a module": ("Dockerfile", 'CMD ["python", "-m", "pkg.server"]\n', {PACKAGE}),
    "by a web server": ("Procfile", "web: uvicorn pkg.server:app\n", {PACKAGE}),
}


@pytest.mark.parametrize(("document", "text", "expected"), SAID.values(), ids=SAID)
def test_what_the_project_says_tells(document: str, text: str, expected: set[str], tmp_path: Path) -> None:
    write(tmp_path, {"pkg/server.py": "X = 1\n", document: text})
    assert ways_of(tmp_path, (FILE,), ())[FILE] == expected


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("[build-system]\n", {PACKAGE, INSTALLED}),
        ("[tool.uv]\npackage = true\n", {PACKAGE, INSTALLED}),
        ("[a]\n", set()),
    ],
)
def test_console_scripts_count_where_uv_installs_the_project(settings: str, expected: set[str], tmp_path: Path) -> None:
    write(tmp_path, {INIT: "", FILE: "", "pyproject.toml": settings})
    assert ways_of(tmp_path, (FILE,), ("pkg.server",))[FILE] == expected
    assert ways_of(tmp_path, (FILE,), ("other",))[FILE] == set()


def test_a_package_that_is_installed_by_a_longer_name_is_not_imported_by_the_shorter_one(tmp_path: Path) -> None:
    file = "src/pkg/server.py"
    write(tmp_path, {"__init__.py": "", "src/pkg/__init__.py": "from . import server\n", file: ""})
    assert ways_of(tmp_path, (file,), ("src.pkg",))[file] == {PACKAGE}
    assert ways_of(tmp_path, (file,), ("pkg",))[file] == {PACKAGE, INSTALLED}


def test_an_init_at_the_root_is_no_package_above_it(tmp_path: Path) -> None:
    write(tmp_path, {"__init__.py": "", INIT: "", FILE: ""})
    assert ways_of(tmp_path, (FILE, "__init__.py"), ("pkg.server",))[FILE] == {PACKAGE, INSTALLED}
