"""Which parts of a repository have nothing to do with each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.source.discover import python_files
from pdmigrate.source.glances import Glances
from pdmigrate.source.reachable import Reachable
from tests.support.files import write

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
def test_a_file_may_concern_what_it_is_beside_or_imports(tmp_path: Path, path: str, part: str, shares: bool) -> None:
    files = python_files(write(tmp_path, FILES))
    assert Reachable(Glances(tmp_path, files)).may_concern(path, (part,)) is shares
