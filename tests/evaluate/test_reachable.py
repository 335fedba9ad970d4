"""Which files a program may come to run, and which parts of a repository have nothing to do with each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.evaluate.tree.whole import Whole
from pdmigrate.tree.discover import python_files

FILES = {
    "shop/__init__.py": "",
    "shop/cli.py": "import json, tills.desk\nfrom shop import server\n",
    "shop/server.py": "from mcp.server import Server\n",
    "tills/desk.py": "import drawer\n",
    "drawer.py": "",
    "apart/server.py": "from fastmcp import FastMCP\n",
    "apart/helper.py": "from . import server\n",
    "apart/deep/tool.py": "from ..server import mcp\n",
    "one/server.py": "import common.texts\n",
    "two/server.py": "from common import texts\n",
    "common/texts.py": "",
    "src/late/__init__.py": "",
    "src/late/tools.py": "import shop.server\n",
}


@pytest.fixture
def whole(tmp_path: Path) -> Whole:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return Whole(tmp_path, python_files(tmp_path))


@pytest.mark.parametrize(
    ("entry", "path", "reached"),
    [
        ("shop.cli", "shop/server.py", True),
        ("shop.cli", "tills/desk.py", True),  # a folder without __init__.py
        ("shop.cli", "drawer.py", True),  # over a module that it imports
        ("shop.cli", "apart/server.py", False),
        ("shop.cli", "src/late/tools.py", False),
        ("late.tools", "shop/server.py", True),
        ("late.tools", "drawer.py", True),
        ("late.tools", "apart/server.py", False),
        ("nowhere", "shop/server.py", False),
    ],
)
def test_an_entry_point_reaches_what_its_packages_import(whole: Whole, entry: str, path: str, reached: bool) -> None:
    assert whole.reaches(entry.partition(".")[0], path) is reached


@pytest.mark.parametrize(
    ("path", "part", "shares"),
    [
        ("shop/server.py", "shop", True),
        ("shop/server.py", ".", True),
        ("shop/cli.py", "shop/server.py", True),  # beside it
        ("src/late/tools.py", "shop", True),  # imports it
        ("shop/cli.py", "drawer.py", True),  # imports what imports it
        ("apart/helper.py", "apart/server.py", True),
        ("apart/deep/tool.py", "apart/server.py", True),  # without saying its name
        ("apart/server.py", "shop", False),
        ("two/server.py", "one", True),  # both import the same texts
        ("drawer.py", "shop/cli.py", True),  # it imports that
        ("drawer.py", "shop/server.py", False),  # what is beside it imports that
        ("two/server.py", "shop", False),
        ("shop/cli.py", "apart", False),
        ("apart/helper.py", "shop", False),
        ("apart/server.py", "nowhere", False),
    ],
)
def test_a_server_shares_with_what_it_is_part_of_beside_or_imports(
    whole: Whole, path: str, part: str, shares: bool
) -> None:
    assert whole.shares(path, (part,)) is shares
