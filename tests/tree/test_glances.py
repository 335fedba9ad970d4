"""What is seen of a file without parsing it: all that its imports say, and what else it may have to do with."""

from __future__ import annotations

import ast
import random
import sysconfig
import time
from pathlib import Path

import pytest

from pdmigrate.source.discover import python_files
from pdmigrate.source.glances import Glances, glance
from pdmigrate.source.reachable import Reachable
from tests.support.files import write


@pytest.mark.parametrize(
    ("source", "words"),
    [
        *(("import a", "a"), ("import a.b as c, d", "a as b c d"), ("from a import b", "a b from")),
        ("from a.b import (\n    c,  # why (so)\n    d as e,\n)", "a as b c d e from so why"),
        ("from a import(b)", "a b from"),
        ("from a \\\n    import b, \\\n    c", "a b c from"),
        ("if x: from a import b; import c", "a b c from if x"),
        ("from a import *", "* a from"),
        ("from late_import import b", "b from late_import"),
        *(("from .. import a", "a from"), ("from . a import b", "a b from")),
        *(("import a\r\nimport b\rimport c", "a b c"), ("importlib.load('a')", "")),
    ],
)
def test_every_word_of_an_import_is_seen(source: str, words: str) -> None:
    assert set(words.split()) <= set(glance(source.encode()).words)
    assert not glance(source.encode()).opaque


@pytest.mark.parametrize(
    ("source", "imports", "relative"),
    [
        *(("import a.b as c, d.e", ["a", "d"], False), ("from a.b import c", ["a"], False)),
        *(("    from a import (b,\n c)", ["a"], False), ("from .a import b", [], True)),
        *(("from . import b\nimport c", ["c"], True), ("x = 1  # import this", ["this"], False)),
        ("from xfrom.y import z", ["xfrom"], False),
    ],
)
def test_first_names_are_those_of_modules(source: str, imports: list[str], relative: bool) -> None:
    seen = glance(source.encode())
    assert (seen.imports, seen.relative) == (imports, relative)


def test_brackets_that_are_no_import_make_a_file_one_that_may_import_anything() -> None:
    seen = glance(b'"""One may import (see\nthe manual (2)"""\nfrom a import b\n')
    assert seen.opaque
    assert {"a", "b"} <= set(seen.words)


def test_the_imports_of_the_standard_library_are_seen() -> None:
    files = sorted(Path(sysconfig.get_path("stdlib")).glob("*/*.py"))
    checked = 0
    for path in random.Random(3).sample(files, 120):
        raw = path.read_bytes()
        try:
            tree = ast.parse(raw)
        except SyntaxError:
            continue  # what tests of the parser are about
        seen = glance(raw)
        for node in ast.walk(tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                named = [alias.name for alias in node.names] + [alias.asname or "" for alias in node.names]
                named.append((node.module or "") if isinstance(node, ast.ImportFrom) else "")
                wanted = {word for name in named for word in name.split(".") if word and word.isascii()}
                assert seen.opaque or wanted <= set(seen.words), path
                checked += 1
                if isinstance(node, ast.ImportFrom) and node.level:
                    assert seen.opaque or seen.relative, path
    assert checked > 500


def test_classes_are_those_at_the_beginning_of_a_line() -> None:
    seen = glance(b"class A(B, metaclass=C.D):\n  class E(\n    F,\n  ): ...\nx = 'class G(H):'\nclass I:\n  pass\n")
    assert seen.classes == {"A": ["B", "C", "D", "metaclass"], "E": ["F"]}


@pytest.mark.parametrize(
    "part",
    [b"import (#\n", b"import (", b"import \\\n", b"from from ", b"class x(", b"from . import ", b"class A(B)\n"],
)
def test_no_text_takes_more_than_its_length(part: bytes) -> None:
    def seconds(size: int) -> float:
        started = time.process_time()
        glance(part * (size // len(part)))
        return time.process_time() - started

    assert min(seconds(400_000) for _ in range(3)) < 20 * seconds(50_000) + 0.2


def test_who_may_import_a_module(tmp_path: Path) -> None:
    sources = {
        "a.py": "import pkg.tools",
        "b.py": "from pkg import tools",
        "c.py": "x = 'tools'",
        "pkg/__init__.py": "",
        "pkg/tools.py": "",
        "pkg/d.py": "from . import x",
        "e.py": "import (tools",
    }
    glances = Glances(write(tmp_path, sources), tuple(sources))
    assert glances.importing("pkg/tools.py") == {"a.py", "b.py", "e.py"}
    assert glances.importing("pkg/__init__.py") == {"a.py", "b.py", "pkg/d.py", "e.py"}
    assert glances.holding("größe") == set(sources)


DEEP, PACKAGE = "one/pkg/tools/server.py", "one/pkg/__init__.py"


@pytest.mark.parametrize(
    ("module", "path", "source", "may"),
    [
        (DEEP, "one/pkg/a.py", "from .tools.server import x", True),
        (DEEP, "one/pkg/deep/a.py", "from ..tools import server", True),
        (DEEP, "one/pkg/tools/deep/a.py", "from ..server import x", True),
        (DEEP, "one/pkg/tools/a.py", "from . import server", True),
        (DEEP, "one/pkg/tools/a.py", "import server", True),
        (DEEP, "one/a.py", "from pkg.tools import server", True),
        (DEEP, "two/a.py", "import one.pkg.tools.server as server", True),
        (DEEP, "two/a.py", "from tools.server import x", True),
        (DEEP, "two/a.py", "import server", False),
        (DEEP, "two/a.py", "from pkg.server import x", False),
        (DEEP, "two/a.py", "from . import server", False),
        (DEEP, "one/pkg/other/a.py", "from .server import x", False),
        (DEEP, "one/pkg/other/a.py", "from pkg.other.server import x", False),
        ("src/one/server.py", "main.py", "import one.server", True),
        ("src/server.py", "main.py", "import server", True),
        ("a/src/server.py", "a/b/main.py", "import server", True),
        ("a/src/server.py", "b/main.py", "import server", False),
        ("pkg/__init__.py", "pkg/deep/a.py", "from .. import x", True),
        ("pkg/__init__.py", "other/a.py", "from .. import x", False),
        (PACKAGE, "other/a.py", "import pkg", False),
        (PACKAGE, "one/a.py", "import pkg", True),
    ],
)
def test_where_imports_start(tmp_path: Path, module: str, path: str, source: str, may: bool) -> None:
    write(tmp_path, {path: source})
    assert Glances(tmp_path, (path, module)).importing(module) == ({path} if may else set())


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
