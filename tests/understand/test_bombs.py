"""Source that asks for more than any machine has: an answer comes in bounded memory and processor time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pdmigrate.understand.demand.operators import is_wide

BOMBS = {
    "alias tower": "x = [1]\nfor i in range(60):\n    x = [x, x]\nresult = x",
    "alias tower of dicts": "x = {}\nfor i in range(60):\n    x = {'a': x, 'b': x}\nresult = x",
    "alias tower copied": "import copy\nx = [1]\nfor i in range(60):\n    x = [x, x]\nresult = copy.deepcopy(x)",
    "alias tower as text": "x = [1]\nfor i in range(60):\n    x = [x, x]\nresult = str(x)",
    "alias tower as json": "import json\nx = [1]\nfor i in range(60):\n    x = [x, x]\nresult = json.dumps(x)",
    "alias tower compared": "x = [1]\ny = [1]\nfor i in range(60):\n    x = [x, x]\n    y = [y, y]\nresult = x == y",
    "alias tower handed over": "import lib\nx = [1]\nfor i in range(60):\n    x = [x, x]\nlib.f(x)\nresult = x",
    "tuple tower as a key": "x = (1,)\nfor i in range(60):\n    x = (x, x)\nresult = {x: 1}",
    "generator without end": "def g():\n    while True:\n        yield 1\nresult = next(g())",
    "json nesting": "import json\nresult = json.loads('[' * 100000)",
    "endless iterator": "class C:\n    def __iter__(self):\n        return self\nresult = list(C())",
    "getattr loop": "class C:\n    def __getattr__(self, n):\n        return getattr(self, n)\nresult = C().x",
    "doubling arguments": "def f(*a):\n    return f(*a, *a)\nresult = f(1)",
    "doubling keywords": "def f(**k):\n    return f(**k, **{x + 'a': 1 for x in k})\nresult = f(a=1)",
    "combinations": "from itertools import combinations\nresult = list(combinations(range(60), 30))",
    "permutations": "from itertools import permutations\nresult = list(permutations(range(20)))",
    "repeat": "from itertools import repeat\nresult = list(repeat(1, 10 ** 9))",
    "bytes": "result = bytes(10 ** 10)",
    "sum of lists": "result = sum([[1] * 1000] * 40000, [])",
    "huge power": "result = 7 ** 7 ** 7 ** 7",
    "unpacking bomb": "x = [1, 2]\nfor i in range(60):\n    x = [*x, *x]\nresult = x",
    "translate bomb": "result = ('a' * 100000).translate({97: 'b' * 100000})",
    "map many": "x = 'ab' * 20000\nresult = list(map(lambda *a: a, *[x] * 1000))",
    "coroutine loop": "import asyncio\nasync def f():\n    return await f()\nresult = asyncio.run(f())",
    "coroutine bomb": "import asyncio\nasync def f(n):\n"
    "    return await asyncio.gather(f(n + 1), f(n + 2))\nresult = asyncio.run(f(0))",
    "expandtabs": "result = ('\\t' * 2000).expandtabs(2000000)",
    "center kw": "result = 'a'.center(2000000000)",
    "keep texts": "x = 'a' * 1900000\nresult = [x + str(i) for i in range(5000)]",
    "keep fstrings": "x = 'a' * 1900000\nresult = [f'{x}{i}' for i in range(5000)]",
    "recursion into what is unknown": "import lib\nclass C:\n    def __eq__(self, other):\n        return True\n"
    "def f(x):\n    given = x.get('k')\n    kept = [v for v in given if v != {'type': 'null'}]\n"
    "    if not any(v == {} for v in given) or len(kept) != 1:\n        return None\n"
    "    inner = f(kept[0])\n    found = inner if inner is not None else kept[0]\n    if 'type' not in found:\n"
    "        return None\n    return {k: v for k, v in found.items() if k != 'k'}\n"
    "result = [f({'k': lib.x(i), 'i': i}) for i in range(300)]",
    "callers of callers": "def f0a(server):\n    server.remove_tool('a')\ndef f0b(): pass\n"
    + "".join(f"def f{i}{k}():\n    f{i - 1}a()\n    f{i - 1}b()\n" for i in range(1, 23) for k in "ab")
    + "result = 1",
    "islice of endless": "from itertools import count, islice\nresult = list(islice(count(), 10 ** 9))",
}
GO_OFF = """
import json, resource, sys
from pathlib import Path
from tests.understand.sources import servers_in
resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000, 1_500_000_000))
resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
(server,) = servers_in(Path(sys.argv[1]), {"server.py": json.load(sys.stdin)})
print(json.dumps([tool.name for tool in server.tools]))
"""
WIDE = ("{:9999999}", "{0:999999}" * 5)
NARROW = ("{:>10}", "{0:08x}", "x" * 100)


@pytest.mark.parametrize("form", [*WIDE, *NARROW])
def test_a_form_is_filled_in_unless_the_text_may_be_larger_than_any(form: str) -> None:
    assert is_wide(form) is (form in WIDE)


LISTED = """
from mcp.server import Server
from mcp.types import Tool
server = Server("x")
@server.list_tools()
async def tools(): return [Tool(name="a", description="A.", inputSchema={"type": "object", "default": result})]
"""


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_goes_off_in_a_small_room(tmp_path: Path, name: str) -> None:
    command, text = [sys.executable, "-c", GO_OFF, str(tmp_path)], json.dumps(f"{BOMBS[name]}\n{LISTED}")
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr[-600:] or "the process was killed"
    assert json.loads(done.stdout) in ([], ["a"])
