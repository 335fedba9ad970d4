"""Star imports of modules of the tree: what they bind, and what they may bind."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from pdmigrate.evaluate.core.values import Value
from pdmigrate.recognise.world import World

from pdmigrate.tree.whole import Whole

MODULES = {
    "plain.py": "one, _two = 1, 2\n",
    "listed.py": "__all__ = ['_two']\none, _two = 1, 2\n",
    "unlisted.py": "import os\n__all__ = os.environ.get('X').split()\none = 1\n",
    "partly.py": "import os\n__all__ = ['one', os.environ.get('X')]\none = two = 1\n",
    "perhaps.py": "import os\n__all__ = ['one']\nif os.environ.get('X'):\n    __all__.append('two')\none = two = 1\n",
}


def names(tmp_path: Path, program: str) -> dict[str, Value]:
    for name, text in {**MODULES, "program.py": dedent(program)}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with World(Whole(tmp_path)).interpreter() as run:
        return dict(run.run_module("program.py").scope.names)


@pytest.mark.parametrize(("module", "name"), [("plain", "one"), ("listed", "_two"), ("partly", "one")])
def test_what_a_star_import_binds_is_known(module: str, name: str, tmp_path: Path) -> None:
    found = names(tmp_path, f"from {module} import *\nresult = {name}\n")
    assert found["result"].number in (1, 2)


@pytest.mark.parametrize(("module", "name"), [("unlisted", "one"), ("partly", "two"), ("perhaps", "two")])
def test_what_a_star_import_may_bind_is_unknown(module: str, name: str, tmp_path: Path) -> None:
    found = names(
        tmp_path,
        f"""
        from {module} import *
        try:
            result = {name}
        except NameError:
            result = "not bound"
        """,
    )
    assert found["result"].as_unknown is not None or found["result"].sides
