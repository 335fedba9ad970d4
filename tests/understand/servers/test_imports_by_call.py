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
}
OPEN = {
    "folders": 'for path in (HERE / "kit").iterdir():\n            if path.is_dir() and not path.name.startswith("_"):\n                list(discover(path, f"kit.{path.name}"))',
    "runpy of a module": 'runpy.run_module("kit.plugins.extra")',
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
