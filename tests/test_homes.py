"""Where generated files stand, and how they are imported."""

from __future__ import annotations

import pytest

from pdmigrate.homes import Home, homes, import_name
from pdmigrate.model import Fixed, Sdk, Server, Site

HOME = Home("pkg/progressive_disclosure.py", "pkg/tool_descriptions")


def server(file: str, name: str | None = None) -> Server:
    return Server("mcp1-lowlevel", Site(file, 1), name, Sdk("mcp", "1.30.0", "given"), Fixed("", "PD501"), ())


def test_a_server_alone_in_its_folder_gets_the_plain_names() -> None:
    assert homes([server("pkg/server.py", "x")]) == (HOME,)


def test_servers_of_one_folder_get_names_of_their_own() -> None:
    found = homes([server("a.py", "My Server"), server("b.py"), server("c.py", "my-server"), server("sub/d.py", "d")])
    assert [home.module for home in found] == [
        "progressive_disclosure_my_server.py",
        "progressive_disclosure_b.py",
        "progressive_disclosure_my_server_2.py",
        "sub/progressive_disclosure.py",
    ]
    assert [home.folder_beside_module for home in found] == [
        "tool_descriptions/my_server",
        "tool_descriptions/b",
        "tool_descriptions/my_server_2",
        "tool_descriptions",
    ]


@pytest.mark.parametrize(
    ("text", "tree", "expected"),
    [
        pytest.param("from . import db\n", {"pkg/__init__.py"}, ".progressive_disclosure", id="relative imports"),
        pytest.param("import os\n", {"pkg/__init__.py"}, ".progressive_disclosure", id="a package says nothing else"),
        pytest.param("import os\n", set(), "progressive_disclosure", id="a script says nothing else"),
        pytest.param("import db\n", {"pkg/db.py"}, "progressive_disclosure", id="a script with a sibling"),
        pytest.param(
            "import db\n", {"pkg/__init__.py", "pkg/db.py"}, "progressive_disclosure", id="run as a script in a package"
        ),
        pytest.param(
            "from pkg.db import x\n", {"pkg/__init__.py", "pkg/db.py"}, "pkg.progressive_disclosure", id="absolute"
        ),
        pytest.param(
            "from pkgs import x\n", {"pkg/__init__.py"}, ".progressive_disclosure", id="another package of similar name"
        ),
        pytest.param(
            "def f():\n    from .db import x\n", set(), ".progressive_disclosure", id="an import in a function"
        ),
    ],
)
def test_the_import_follows_the_ones_that_are_there(text: str, tree: set[str], expected: str) -> None:
    assert import_name(HOME, "pkg/server.py", text, tree) == expected


def test_a_nested_package_is_named_from_its_outermost_folder() -> None:
    home = Home("src/a/b/progressive_disclosure.py", "src/a/b/tool_descriptions")
    tree = {"src/a/__init__.py", "src/a/b/__init__.py"}
    assert import_name(home, "src/a/b/server.py", "import a.b.util\n", tree) == "a.b.progressive_disclosure"


def test_a_root_that_is_itself_a_package_imports_relatively() -> None:
    home = Home("progressive_disclosure.py", "tool_descriptions")
    assert import_name(home, "server.py", "import os\n", {"__init__.py"}) == ".progressive_disclosure"
