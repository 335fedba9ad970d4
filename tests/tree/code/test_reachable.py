"""Which files a program may come to run, and which parts of a repository have nothing to do with each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.tree.code.whole import Whole
from pdmigrate.tree.discover import python_files
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


@pytest.fixture
def whole(tmp_path: Path) -> Whole:
    write(tmp_path, FILES)
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
        ("late.tools", "drawer.py", False),  # another module of the package that it imports does
        ("late.tools", "apart/server.py", False),
        ("nowhere", "shop/server.py", False),
    ],
)
def test_an_entry_point_reaches_what_its_packages_import(whole: Whole, entry: str, path: str, reached: bool) -> None:
    assert whole.may_execute(entry, "", path) is reached


COMMANDS = """
import argparse
from shop import texts

def serve():
    from shop.server import run
    run()

def count():
    return Report().total()

class Report:
    def total(self):
        from shop import {imported}

def main():
    parser = argparse.ArgumentParser()
    parser.set_defaults(call={called})
"""


@pytest.mark.parametrize(
    ("commands", "function", "reached"),
    [
        (COMMANDS, "serve", True),
        (COMMANDS, "count", False),
        (COMMANDS, "main", False),
        (COMMANDS.replace("{called}", "serve"), "main", True),  # named, if not called
        (COMMANDS.replace("{imported}", "server"), "count", True),  # in a method of a class that is named
        (COMMANDS + "\nHANDLERS = {'up': serve}\n", "count", True),  # named outside functions
        (COMMANDS + "\n@cli.command\ndef up():\n    import shop.server\n", "count", True),  # handed to a decorator
        (COMMANDS + "\nclass Unnamed:\n    from shop import server\n", "count", True),  # a body runs with the module
        (COMMANDS + "\nclass Unnamed:\n    class Inner:\n        made = serve()\n", "count", True),
        (COMMANDS + "\nclass Unnamed:\n    def up(self):\n        from shop import server\n", "count", False),
        (COMMANDS + "\ndef unnamed(given=serve()):\n    pass\n", "count", True),  # a default is computed at once
        (COMMANDS + "\nclass Unnamed:\n    def up(self, *, given=serve()):\n        pass\n", "count", True),
        (COMMANDS + "\ndef unnamed() -> serve(): pass\n", "count", True),
        (COMMANDS + "\ndef __getattr__(name):\n    from shop import server\n", "count", True),
        (COMMANDS.replace("Report()", "globals()[name]()"), "count", True),
        (COMMANDS.replace("Report()", "getattr(module, 'serve')"), "count", True),
        (COMMANDS.replace("Report()", "importlib.import_module(name)"), "count", True),
        (COMMANDS.replace("Report()", "uvicorn.run('shop.server:app')"), "count", True),
        (
            COMMANDS.replace("from shop import texts", "from shop import back"),
            "count",
            True,
        ),  # which calls any function
        (COMMANDS.replace("from shop import texts", "import shop.parts.one"), "count", True),  # its package does
        (COMMANDS.replace("from shop import texts", "from shop import parts"), "count", True),
        (COMMANDS.replace("from shop import texts", "from shop import broken"), "count", True),
        ("from shop import texts\ndef main(): pass\n", "main", False),
        ("from shop.server import main\n", "main", True),
    ],
)
def test_a_command_executes_what_its_own_functions_import(
    tmp_path: Path, commands: str, function: str, reached: bool
) -> None:
    files = {
        "shop/__init__.py": "",
        "shop/server.py": "from mcp.server import Server\n",
        "shop/texts.py": "import json\n",
        "shop/back.py": "def again():\n    from shop import commands\n",
        "shop/broken.py": "import json as\n",
        "shop/parts/__init__.py": "from .. import server\n",
        "shop/parts/one.py": "",
        "shop/commands.py": commands.replace("{imported}", "texts").replace("{called}", "count"),
    }
    write(tmp_path, files)
    whole = Whole(tmp_path, python_files(tmp_path))
    assert whole.may_execute("shop.commands", function, "shop/server.py") is reached


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
def test_a_file_may_concern_what_it_is_part_of_beside_or_imports(
    whole: Whole, path: str, part: str, shares: bool
) -> None:
    assert whole.may_concern(path, (part,)) is shares
