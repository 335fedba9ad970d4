# ruff: noqa: E501 - each source stands in one line
"""Source that wants to use up the machine, or to run: it ends in an answer, soon, in little memory."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from pdmigrate.evaluate import evaluate_program
from pdmigrate.evaluate.budget import Budget
from pdmigrate.model import Unknown

HOSTILE = {
    "huge text": "result = 'a' * 10 ** 10",
    "huge list": "result = [0] * 10 ** 10",
    "huge number": "result = 10 ** 10 ** 10",
    "huge shift": "result = 1 << 10 ** 10",
    "huge range": "result = list(range(10 ** 12))",
    "huge product": "from itertools import product\nresult = list(product(*[range(10)] * 10))",
    "doubling text": "x = 'a'\nfor i in range(100):\n    x = x + x\nresult = x",
    "doubling list": "x = [1]\nfor i in range(100):\n    x = x + x\nresult = x",
    "doubling by extend": "x = [1]\nfor i in range(100):\n    x.extend(x)\nresult = x",
    "nested comprehension": "result = [1 for a in range(99) for b in range(99) for c in range(99) for d in range(99)]",
    "endless loop": "while True:\n    pass\nresult = 1",
    "endless recursion": "def f(n):\n    return f(n + 1)\nresult = f(0)",
    "exponential recursion": "def f(n):\n    return 1 if n < 2 else f(n - 1) + f(n - 2)\nresult = f(50)",
    "mutual recursion": "def f():\n    return g()\ndef g():\n    return f()\nresult = f()",
    "recursive class": "class C:\n    def __init__(self):\n        self.c = C()\nresult = C().c",
    "wide format": "result = f\"{'a':>99999999}\"",
    "wide percent": "result = '%99999999s' % 'a'",
    "wide justification": "result = 'a'.ljust(10 ** 9)",
    "replacement bomb": "result = ('a' * 100000).replace('a', 'b' * 100000)",
    "join bomb": "result = ('x' * 100000).join('y' * 100000)",
    "tab bomb": "result = '\\t'.expandtabs(10 ** 9)",
    "long digits": "result = int('9' * 100000)",
    "deep list": "x = []\nfor i in range(5000):\n    x = [x]\nresult = x",
    "list in itself": "x = []\nx.append(x)\nresult = x",
    "dict in itself": "import copy\nx = {}\nx['x'] = x\nresult = copy.deepcopy(x)",
    "branching paths": "import os\nx = []\nfor i in range(2000):\n    if os.getenv(str(i)):\n        x.append(i)\nresult = x",
    "branching returns": "import os\ndef f():\n"
    + "".join(f"    if os.getenv('{i}'):\n        return {i}\n" for i in range(300))
    + "result = f()",
    "nested branches": "import os\n"
    + "".join("  " * i + f"if os.getenv('{i}'):\n" for i in range(90))
    + "  " * 90
    + "x = 1\nresult = x",
    "unknown loops in loops": "import os\nx = []\n"
    + "".join("  " * i + f"for a{i} in os.environ:\n" for i in range(15))
    + "  " * 15
    + "x.append(1)\nresult = x",
    "generator without end": "def g():\n    while True:\n        yield 1\nresult = next(g())",
    "json nesting": "import json\nresult = json.loads('[' * 100000)",
    "endless iterator": "class C:\n    def __iter__(self):\n        return self\nresult = list(C())",
    "getattr loop": "class C:\n    def __getattr__(self, n):\n        return getattr(self, n)\nresult = C().x",
    "property loop": "class C:\n    @property\n    def p(self):\n        return self.p\nresult = C().p",
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.timeout(20)
def test_hostile_source_ends_in_an_answer(source: str) -> None:
    assert isinstance(evaluate_program(source + "\n", budget=Budget(steps=60_000)), Unknown)


NESTED = {
    "brackets": "result = " + "(" * 3000 + ")" * 3000,
    "lists": "result = " + "[" * 3000 + "]" * 3000,
    "signs": "result = " + "-" * 20000 + "1",
    "negations": "result = " + "not " * 20000 + "1",
    "additions": "result = " + "+".join(["1"] * 20000),
    "attributes": "result = a" + ".b" * 20000,
    "calls": "result = a" + "()" * 20000,
    "subscripts": "result = a" + "[0]" * 20000,
    "lambdas": "result = " + "lambda: " * 20000 + "1",
    "conditionals": "result = " + "1 if a else " * 20000 + "1",
    "comparisons": "result = " + "1 <" * 20000 + "2",
    "powers": "result = " + "2 ** " * 20000 + "2",
    "ands": "result = " + " and ".join(["1"] * 20000),
    "else ifs": "if a:\n    pass\n" + "elif a:\n    pass\n" * 5000,
    "texts": "result = " + "'a' " * 20000,
    "additions in lines": "result = (\n" + "+\n".join(["1"] * 20000) + ")",
    "awaits": "async def f():\n    " + "await " * 20000 + "x",
    "decorators": "@a\n" * 20000 + "def f(): pass",
    "f-strings": "result = " + "f'{" * 100 + "1" + "}'" * 100,
}

PROBE = """
import resource, sys
from pdmigrate.errors import SourceError
from pdmigrate.evaluate import evaluate_program
try:
    evaluate_program(sys.stdin.read())
except SourceError as error:
    print(error.code)
used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
assert used < 400, f"{used} MB"
"""


@pytest.mark.parametrize("source", NESTED.values(), ids=NESTED)
@pytest.mark.timeout(60)
def test_deep_source_never_kills_the_process(source: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        input=source + "\n",
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
        preexec_fn=_limit,
    )
    assert done.returncode == 0, done.stderr[-600:] or f"killed by signal {-done.returncode}"


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


def test_nothing_of_the_program_runs(tmp_path: Path) -> None:
    from tests.evaluate.support import evaluate_handler

    trap = tmp_path / "sprung"
    trapped = f"""
        import os, sys, pathlib
        pathlib.Path({str(trap)!r}).write_text("sprung")
        open({str(trap)!r}, "w").write("sprung")
        os.system("touch {trap}")
        exec("open({str(trap)!r}, 'w')")
        __import__("os").mkdir({str(trap)!r})
    """
    files = {
        "pkg/__init__.py": trapped,
        "pkg/server.py": trapped
        + """
        from mcp.server import Server
        from mcp.types import Tool
        from . import other
        server = Server("trap")
        @server.list_tools()
        async def tools():
            os.remove(__file__)
            return [Tool(name="a", description="A", inputSchema={"type": "object"})]
        sys.exit(3)
        """,
        "pkg/other.py": trapped + "\nraise SystemExit",
        "conftest.py": trapped,
        "sitecustomize.py": trapped,
    }
    inventory = evaluate_handler(tmp_path / "tree", files)
    assert not trap.exists()
    assert [server.site.file for server in inventory.servers] in ([], ["pkg/server.py"])
