"""What a project's formatter and import sorter had nothing to say about, they have nothing to say about afterwards.

Every file is first laid out by the real tools under the settings of the case, then edited, then laid out once more.
"""

from __future__ import annotations

import ast
import random
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pdmigrate.migrate.plan.code import edited
from pdmigrate.model import Anchor
from pdmigrate.project.rewrite.enabling import Enable, enable_edits
from pdmigrate.project.rewrite.import_place import Import
from pdmigrate.source.outline import parse
from pdmigrate.source.source import read_source
from pdmigrate.source.style import style_of
from tests.support.files import write
from tests.support.processes import run

RUFF = "[tool.ruff]\n{}\n[tool.ruff.lint]\nselect = ['I']\n"
FORMATS = {
    "unasked": "",
    "long lines": "line-length = 120",
    "short lines": "line-length = 50",
    "single quotes": "[tool.ruff.format]\nquote-style = 'single'",
    "quotes kept": "line-length = 79\n[tool.ruff.format]\nquote-style = 'preserve'",
    "tabs": "[tool.ruff.format]\nindent-style = 'tab'",
}
BLACK = {
    "unasked": "[tool.black]\n",
    "short lines": "[tool.black]\nline-length = 60\n",
    "quotes kept": "[tool.black]\nskip-string-normalization = true\n",
}

LINES = (
    "import os",
    "import asyncio.subprocess",
    "from pathlib import Path, PurePath",
    "from typing import Any",
    "import yaml",
    "import zed.inner as zed",
    "from pydantic import BaseModel",
    "from fastmcp import Context",
    "from pkg import base",
    "from pkg.api import routes",
    "import pkg.zones",
    "from pkg.tools import *",
    "from . import store",
    "from .api import more",
    "from .Tools import other",
    "from ..above import up",
    "# what a person said of it\nfrom .notes import Note",
    "from .zones import zone  # noqa: F401",
)
SERVERS = re.split(
    r"---\n",
    """\
server = Server('notes')
---
server = Server(
    'notes',
    version='1',
)  # ours


@server.tool()
def tool(): ...
---
X = 'x'


def f(a_name, another_name):
    server = Server('notes')
    return server
---
class A:
    def __init__(self):
        self.the_server_of_this_class = Server('notes')
        self.x = 'x'
---
def f():
    return Server('notes')
---
async def f():
    return Server('notes', instructions='how to use it', version='1', website_url='https://x')
---
def f():
    from mcp.server import Server
    import pkg
    server = Server('notes')
    return server
---
def f():
    try:
        from mcp.server import Server
    except ImportError:
        return
    # the server
    server = Server('notes')
    return server
""",
)
MODULES = (".progressive_disclosure", "pkg.progressive_disclosure", "progressive_disclosure")


def sources(seed: int) -> Iterator[str]:
    """Files that import this and that in any order, with a server in each."""
    chance = random.Random(seed)
    for server in SERVERS:
        chosen = chance.sample(LINES, chance.randint(0, 9))
        imports = [*chosen, *([] if "import Server" in server else ["from mcp.server import Server"])]
        chance.shuffle(imports)
        doc = chance.choice(
            ("", '"""A server."""\n\n', "# ours\n\n", '"""A server."""\n\nfrom __future__ import x\n\n')
        )
        yield doc.replace("import x", "import annotations") + "\n".join(imports) + "\n\n" + server


def enabled(text: str, module: str, config: dict[str, bytes]) -> str:
    """The file with its server enabled, in the style of a project in which it is ``pkg/server.py``."""
    style = style_of([("pkg", {}), (".", config)], lambda folder: {"pkg"} if folder == "." else ())
    parsed = parse(read_source("pkg/server.py", text.encode(), style))
    (call,) = (node for node in parsed.parents if isinstance(node, ast.Call) and ast.unparse(node.func) == "Server")
    holder = parsed.parents[call]
    target = ast.unparse(holder.targets[0]) if isinstance(holder, ast.Assign) else ""
    anchor = Anchor(parsed.span(holder if target else call), target)
    wanted = Enable(anchor, (Import(module),), {"stdio": "enforce", "http": "advise"})
    return edited(parsed.source, enable_edits(parsed, [wanted])).decode()


def lay_out(folder: Path, commands: Sequence[Sequence[str]]) -> None:
    for name, *options in commands:
        run(Path(sys.executable).with_name(name), *options, cwd=folder)


def check(folder: Path, config: str, commands: Sequence[Sequence[str]], *, seed: int = 1) -> None:
    """Lay out files with ``commands``, edit them, and see that the same commands change nothing any more."""
    package = folder / "pkg"
    files = {f"server_{n}_{i}.py": text for n, text in enumerate(sources(seed)) for i in range(len(MODULES))}
    # The generated module and others are there by the time that anybody looks.
    others = ("__init__", "progressive_disclosure", "base", "api", "zones", "tools", "store", "notes", "Tools")
    write(folder, {"pyproject.toml": config})
    write(package, {**files, **{f"{name}.py": "" for name in others}})
    lay_out(folder, commands)
    ours = {}
    for name in files:
        module = MODULES[int(name.removesuffix(".py").rpartition("_")[2])]
        ours[name] = enabled((package / name).read_text(), module, {"pyproject.toml": config.encode()})
    write(package, ours)
    assert all("progressive_disclosure" in text for text in ours.values())
    lay_out(folder, commands)
    assert {name: (package / name).read_text() for name in ours} == ours


SORTED = ("ruff", "check", "--fix", "--quiet", "--no-cache", ".")
FORMATTED = ("ruff", "format", "--quiet", "--no-cache", ".")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_imports_that_ruff_sorted_stay_sorted(seed: int, tmp_path: Path) -> None:
    check(tmp_path, RUFF.format(""), (SORTED, FORMATTED), seed=seed)


@pytest.mark.parametrize("settings", FORMATS.values(), ids=FORMATS)
def test_a_file_that_ruff_formatted_stays_formatted(settings: str, tmp_path: Path) -> None:
    check(tmp_path, RUFF.format(settings), (SORTED, FORMATTED))


@pytest.mark.parametrize("settings", BLACK.values(), ids=BLACK)
def test_a_file_that_black_formatted_stays_formatted(settings: str, tmp_path: Path) -> None:
    check(tmp_path, settings, (("black", "--quiet", "."),))
