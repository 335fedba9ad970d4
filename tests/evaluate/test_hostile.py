# ruff: noqa: E501 - each source stands in one line
"""Source that wants to use up the machine, or to run: it ends in an answer, soon, in little memory."""

from __future__ import annotations

import ast
import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from pdmigrate.tree.code.modules import DEEPEST, _is_deep, _nests_beyond
from pdmigrate.tree.source import read_source
from tests.runtime.nurseries import own
from tests.support.files import write

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
    "alias tower": "x = [1]\nfor i in range(60):\n    x = [x, x]\nresult = x",
    "alias tower of dicts": "x = {}\nfor i in range(60):\n    x = {'a': x, 'b': x}\nresult = x",
    "alias tower copied": "import copy\nx = [1]\nfor i in range(60):\n    x = [x, x]\nresult = copy.deepcopy(x)",
    "alias tower as text": "x = [1]\nfor i in range(60):\n    x = [x, x]\nresult = str(x)",
    "alias tower as json": "import json\nx = [1]\nfor i in range(60):\n    x = [x, x]\nresult = json.dumps(x)",
    "alias tower compared": "x = [1]\ny = [1]\nfor i in range(60):\n    x = [x, x]\n    y = [y, y]\nresult = x == y",
    "alias tower handed over": "import lib\nx = [1]\nfor i in range(60):\n    x = [x, x]\nlib.f(x)\nresult = x",
    "alias tower under condition": "import os\nx = [1]\nfor i in range(60):\n    if os.getenv('X'):\n        x = [x, x]\nresult = x",
    "aliases of unknowns": "import os\nx = [[] for i in range(500)]\nfor i in range(500):\n    y = x[int(os.getenv('X'))]\n    y.append(x)\nresult = x",
    "tuple tower": "x = (1,)\nfor i in range(60):\n    x = (x, x)\nresult = x",
    "tuple tower as a key": "x = (1,)\nfor i in range(60):\n    x = (x, x)\nresult = {x: 1}",
    "tuple tower compared": "x = (1,)\nfor i in range(60):\n    x = (x, x)\nresult = x == x",
    "tuple tower sorted": "x = (1,)\nfor i in range(40):\n    x = (x, x)\nresult = sorted([x, x])",
    "text tower": "x = 'ab'\nfor i in range(60):\n    x = f'{x}{x}'\nresult = x",
    "format tower": "x = 'ab'\nfor i in range(60):\n    x = '{0}{0}'.format(x)\nresult = x",
    "join tower": "x = 'ab'\nfor i in range(60):\n    x = ''.join([x, x])\nresult = x",
    "replace tower": "x = 'ab'\nfor i in range(60):\n    x = x.replace('a', 'aa')\nresult = x",
    "long loop": "n = 0\nwhile n < 10 ** 9:\n    n += 1\nresult = n",
    "catastrophic sort key": "result = sorted(range(50000), key=lambda x: [x] * 1000)",
    "regular expression": "import re\nresult = re.match('(a+)+b', 'a' * 40)",
    "regular expression, sequence": "import re\nresult = re.match('a*a*a*a*a*a*b', 'a' * 2000)",
    "regular expression, options": "import re\nresult = re.match('a?' * 40 + 'a' * 40, 'a' * 40)",
    "regular expression, large": "import re\nresult = re.compile('((a{1,500}){1,500}){1,500}')",
    "regular expression bomb by replacement": "import re\nresult = re.sub('a', 'b' * 100000, 'a' * 100000)",
    "star of unknown": "import os\ndef f(*a):\n    return f(*a, *a)\nresult = f(os.getenv('X'))",
    "doubling arguments": "def f(*a):\n    return f(*a, *a)\nresult = f(1)",
    "doubling keywords": "def f(**k):\n    return f(**k, **{x + 'a': 1 for x in k})\nresult = f(a=1)",
    "combinations": "from itertools import combinations\nresult = list(combinations(range(60), 30))",
    "permutations": "from itertools import permutations\nresult = list(permutations(range(20)))",
    "islice of endless": "from itertools import count, islice\nresult = list(islice(count(), 10 ** 9))",
    "repeat": "from itertools import repeat\nresult = list(repeat(1, 10 ** 9))",
    "bytes": "result = bytes(10 ** 10)",
    "sum of lists": "result = sum([[1] * 1000] * 40000, [])",
    "huge power": "result = 7 ** 7 ** 7 ** 7",
    "huge float format": "result = '%.99999999f' % 1.0",
    "huge round": "result = round(5, -10 ** 9)",
    "divmod": "x = 3 ** 2500\nfor i in range(1000):\n    x = x * x % (3 ** 2500)\nresult = x",
    "int text": "result = str(10 ** 1000) * 3000",
    "decorator tower": "def d(f):\n    return lambda: [f(), f()]\n"
    + "@d\n" * 40
    + "def f():\n    return 1\nresult = f()",
    "closure tower": "f = lambda: 1\nfor i in range(60):\n    f = (lambda g: lambda: [g(), g()])(f)\nresult = f()",
    "match tower": "import os\nx = os.getenv('X')\n"
    + "".join(f"match x:\n    case {i}:\n        y = {i}\n    case _:\n        y = x\n" for i in range(100))
    + "result = y",
    "many branches with lists": "import os\nx = []\n"
    + "".join(f"if os.getenv('{i}'):\n    x = x + [{i}]\nelse:\n    x = [{i}] + x\n" for i in range(60))
    + "result = x",
    "many branches with texts": "import os\nx = ''\n"
    + "".join(f"if os.getenv('{i}'):\n    x = x + '{i}'\nelse:\n    x = '{i}' + x\n" for i in range(60))
    + "result = x",
    "choice of functions": "import os\nf = lambda: 1\n"
    + "".join(f"if os.getenv('{i}'):\n    f = (lambda g: lambda: g())(f)\n" for i in range(60))
    + "result = f()",
    "generators in generators": "def g(n):\n    if n:\n        yield from g(n - 1)\n        yield from g(n - 1)\n    yield n\nresult = list(g(40))",
    "template bomb": "from string import Template\nresult = Template('$a' * 100000).substitute(a='b' * 100000)",
    "zip of endless": "def g():\n    while True:\n        yield 1\nresult = list(zip(g(), g()))",
    "dict comprehension bomb": "result = {(a, b, c): 1 for a in range(200) for b in range(200) for c in range(200)}",
    "set bomb": "result = {a * b for a in range(1000) for b in range(1000)}",
    "try tower": "import os\n"
    + "".join("  " * i + "try:\n" for i in range(40))
    + "  " * 40
    + "x = os.environ['X']\n"
    + "".join("  " * i + "except Exception:\n" + "  " * (i + 1) + "x = 1\n" for i in reversed(range(40)))
    + "result = x",
    "getter loop": "class A:\n    def __getitem__(self, i):\n        return self[i + 1]\nresult = A()[0]",
    "equality loop": "class A:\n    def __eq__(self, o):\n        return o == self\nresult = A() == A()",
    "unpacking bomb": "x = [1, 2]\nfor i in range(60):\n    x = [*x, *x]\nresult = x",
    "translate bomb": "result = ('a' * 100000).translate({97: 'b' * 100000})",
    "metaclass loop": "class M(type):\n    def __call__(cls, *a):\n        return cls(*a)\n"
    "class C(metaclass=M):\n    pass\nresult = C()",
    "coroutine loop": "import asyncio\nasync def f():\n    return await f()\nresult = asyncio.run(f())",
    "coroutine bomb": "import asyncio\nasync def f(n):\n    return await asyncio.gather(f(n + 1), f(n + 2))\n"
    "result = asyncio.run(f(0))",
    "descriptor loop": "class D:\n    def __get__(self, i, o):\n        return i.x if i else self\n"
    "class C:\n    x = D()\nresult = C().x",
    "order loop": "class A:\n    def __lt__(self, o):\n        return A() < A()\nresult = sorted([A() for i in range(99)])",
    "cache bomb": "from functools import cache\n@cache\ndef f(n):\n    return [f(n + 1), f(n + 2)]\nresult = f(0)",
    "proxy in itself": "from types import MappingProxyType\nd = {}\nd['p'] = MappingProxyType(d)\nresult = str(d)",
    "property loop": "class C:\n    @property\n    def p(self):\n        return self.p\nresult = C().p",
}


USED = """
import resource

def used():
    'The most memory of this program so far, in megabytes.'
    try:
        words = open("/proc/self/status").read().split()
        return int(words[words.index("VmHWM:") + 1]) // 1024
    except OSError:  # not Linux, where this would count the process that this one was forked from
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
"""
MEASURE = f"""{USED}
import json, sys, time
from tests.support.program import evaluate_program
from pdmigrate.model import Known
evaluate_program("import copy, itertools, json, os, re, textwrap\\nresult = str(1)\\n")
for name, source in json.load(sys.stdin).items():
    started = time.process_time()
    answer = evaluate_program(source + "\\n")
    seconds = time.process_time() - started
    print(json.dumps([name, isinstance(answer, Known), seconds, used()]), flush=True)
"""
SECONDS = 4
"""On a quiet machine each case takes at most about one; a slow or busy one must not fail."""
MEGABYTES = 200


@pytest.fixture(scope="module")
def measured() -> dict[str, tuple[bool, float, int]]:
    """What came of every case, in one process: whether it is known, processor time, the most memory so far."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE],
        input=json.dumps(HOSTILE),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        preexec_fn=_limit,
    )
    assert done.returncode == 0, done.stdout[-200:] + done.stderr[-600:]
    rows = (json.loads(line) for line in done.stdout.splitlines())
    return {name: (known, seconds, used) for name, known, seconds, used in rows}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_source_ends_soon_in_little_memory(name: str, measured: dict[str, tuple[bool, float, int]]) -> None:
    known, seconds, used = measured[name]
    assert not known
    assert seconds < SECONDS
    assert used < MEGABYTES


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

PROBE = f"""{USED}
import gc, sys
gc.enable()
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
from pdmigrate.errors import SourceError
from tests.support.program import evaluate_program
try:
    evaluate_program(sys.stdin.read())
except SourceError as error:
    print(error.code)
assert used() < 200, f"{{used()}} MB"
"""


@pytest.mark.parametrize("source", NESTED.values(), ids=NESTED)
@pytest.mark.timeout(60)
def test_deep_source_never_kills_the_process(source: str) -> None:
    done = subprocess.run(
        own("-c", PROBE), input=source + "\n", capture_output=True, text=True, timeout=50, check=False
    )
    assert done.returncode == 0, done.stderr[-600:] or "the process was killed"


@pytest.mark.parametrize("each", [1, 3, 40, 1000])
@pytest.mark.parametrize(
    ("before", "after"), [("-", ""), ("not ", ""), ("lambda: ", ""), ("a if b else ", ""), ("", ".b"), ("", "+a")]
)
def test_what_is_too_deep_is_so_however_it_is_written(before: str, after: str, each: int) -> None:
    """In one line or in many: a little less than is too deep, and a little more."""
    for depth, deep in ((DEEPEST - 10, False), (DEEPEST + 1, True)):
        breaks = ["\\\n" * (level % each == each - 1) for level in range(depth)]
        value = "".join(before + line for line in breaks) + "x" + "".join(after + line for line in breaks)
        tree = ast.parse(f"def f():\n    if x:\n        return {value}\n")
        assert _is_deep(tree) is deep


@pytest.mark.parametrize(
    ("text", "deepest"),
    [
        ("(" * 9 + ")" * 9, 9),
        ("()" * 99, 1),
        ("([{" * 4 + ")]}" * 4, 12),
        ("((()" * 3, 7),
        (")))(((", 3),
        ("(()(()))", 3),
    ],
)
def test_brackets_are_counted_as_they_nest(text: str, deepest: int) -> None:
    source = read_source("m.py", f"'{text}'".encode())
    assert [_nests_beyond(source, most) for most in (deepest - 1, deepest)] == [True, False]


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


TRAP = """
import os, sys, pathlib, subprocess, builtins
pathlib.Path({trap!r}).write_text("sprung")
open({trap!r}, "w").write("sprung")
os.system("touch " + {trap!r})
subprocess.run(["touch", {trap!r}])
exec("open({trap!r}, 'w')")
__import__("os").mkdir({trap!r})
class Meta(type):
    def __new__(cls, *args, **kwargs):
        open({trap!r}, "w")
        return super().__new__(cls, *args, **kwargs)
    def __init__(cls, *args):
        open({trap!r}, "w")
class Sprung(metaclass=Meta):
    open({trap!r}, "w")
    def __init_subclass__(cls):
        open({trap!r}, "w")
    def __set_name__(self, owner, name):
        open({trap!r}, "w")
    def __del__(self):
        open({trap!r}, "w")
class Child(Sprung): ...
def spring(function):
    open({trap!r}, "w")
    return function
@spring
def decorated(default=open({trap!r}, "w")): ...
"""
SERVER = """
from mcp.server import Server
from mcp.types import Tool
from . import other
server = Server("trap")
@server.list_tools()
async def tools():
    os.remove(__file__)
    return [Tool(name="a", description="A", inputSchema={"type": "object"})]
sys.exit(3)
"""
TRAPPED = (
    "pkg/__init__.py", "pkg/__main__.py", "pkg/py.py", "conftest.py", "sitecustomize.py", "usercustomize.py", "setup.py",
    "json.py", "typing.py", "libcst.py", "mcp.py", "pydantic.py", "jsonschema.py", "tomllib.py", "noxfile.py",
)  # fmt: skip
"""Files that Python, or a tool, may run on its own, and modules that hide those that pdmigrate needs."""


COMMANDS = {
    "extract": ["extract", "--no-write", "--format", "json"],
    "explain": ["explain", "a"],
    "apply": ["apply", "--allow-dirty"],
    "check": ["check"],
    "sync": ["sync"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_of_the_target_is_imported_or_run(command: str, tmp_path: Path) -> None:
    """The command line, started in the target's own folder."""
    trap, tree = tmp_path / "sprung", tmp_path / "tree"
    body = TRAP.format(trap=str(trap))
    files = dict.fromkeys(TRAPPED, body)
    files |= {
        "pkg/server.py": body + SERVER,
        "pkg/other.py": body + "raise SystemExit\n",
        "trap.pth": f"import os; os.mkdir({str(trap)!r})\n",
        "pyproject.toml": '[project]\nname = "pkg"\nversion = "1"\n[project.scripts]\nrun = "pkg.server:main"\n'
        '[project.entry-points."pydantic"]\nplugin = "pkg.other:plugin"\n',
        "pkg/data.pickle": f"cos\nmkdir\n(S'{trap}'\ntR.",
    }
    write(tree, files)
    done = subprocess.run(
        [sys.executable, "-m", "pdmigrate", *COMMANDS[command]],
        cwd=tree,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert not trap.exists(), done.stderr[-600:]
    assert done.returncode in (0, 1, 2), done.stderr[-600:]
    assert "Traceback" not in done.stderr
