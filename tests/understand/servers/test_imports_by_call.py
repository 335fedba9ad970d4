# ruff: noqa: E501 - each source stands in one line
"""Tools of modules that a program finds and imports itself; what it does not find out is said to be open."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.model import Server
from tests.understand.servers.test_decorated import servers

HEAD = """
    import importlib, importlib.util, os, pkgutil, runpy, sys
    from importlib.machinery import SourceFileLoader
    from pathlib import Path
    from kit.finding import discover
    from kit.registry import REGISTRY
    mcp = SERVER("demo")
    HERE = Path(__file__).parent
    def load():
        {load}
    load()
    for function in REGISTRY:
        mcp.tool()(function)
"""
# What imports is not what registers: that a module registers something is to be seen in neither of them.
FILES = {
    "kit/__init__.py": "",
    "kit/registry.py": "REGISTRY = []\ndef register(function):\n    REGISTRY.append(function)\n    return function\n",
    "kit/finding.py": """
        import importlib, pkgutil
        def discover(folder, package):
            for _, name, _ in pkgutil.iter_modules([str(folder)]):
                try:
                    importlib.import_module(f".{name}", package)
                    yield name
                except Exception as error:
                    print(error)
    """,
    "kit/plugins/__init__.py": "",
    "kit/plugins/data.txt": "text\n",
    "kit/plugins/extra.py": 'from kit.registry import register\n@register\ndef extra(a: int) -> str:\n    """More."""\n    return ""\n',
}
FOLLOWED = {
    "a relative name in another module": 'list(discover(HERE / "kit" / "plugins", "kit.plugins"))',
    "__import__": '__import__("kit.plugins.extra")',
    "a generator of the program that imports while it is read": 'for name in discover(HERE / "kit" / "plugins", "kit.plugins"):\n            pass',
    "the folder of a file": 'for info in pkgutil.iter_modules([os.path.join(os.path.dirname(__file__), "kit", "plugins")]):\n            importlib.import_module(f"kit.plugins.{info.name}")',
}
OPEN = {
    "folders": 'for path in (HERE / "kit").iterdir():\n            if path.is_dir() and not path.name.startswith("_"):\n                list(discover(path, f"kit.{path.name}"))',
    "runpy of a module": 'runpy.run_module("kit.plugins.extra")',
    "everything that can be imported": "for info in pkgutil.walk_packages():\n            importlib.import_module(info.name)",
}


def read(folder: Path, load: str) -> Server:
    (server,) = servers(folder, "fastmcp4", {**FILES, "server.py": HEAD.replace("{load}", load)})
    return server


@pytest.mark.parametrize("load", FOLLOWED.values(), ids=FOLLOWED)
def test_what_is_imported_by_a_call_is_executed(tmp_path: Path, load: str) -> None:
    server = read(tmp_path, load)
    assert server.incomplete is None
    assert [(tool.name, tool.exact, tool.conditional) for tool in server.tools] == [("extra", True, None)]


@pytest.mark.parametrize("load", OPEN.values(), ids=OPEN)
def test_what_may_be_imported_leaves_the_list_open(tmp_path: Path, load: str) -> None:
    server = read(tmp_path, load)
    assert server.incomplete is not None or any(tool.conditional for tool in server.tools)


@pytest.mark.parametrize(
    "load",
    [
        pytest.param('importlib.import_module(".extra")', id="no package"),
        pytest.param('importlib.import_module("...extra", "kit")', id="above the top"),
        pytest.param('importlib.import_module(".extra", "")', id="an empty package"),
    ],
)
def test_a_relative_name_without_a_meaning_raises(tmp_path: Path, load: str) -> None:
    caught = f'try:\n            {load}\n        except (TypeError, ImportError):\n            importlib.import_module("kit.plugins.extra")'
    assert [tool.name for tool in read(tmp_path, caught).tools] == ["extra"]
