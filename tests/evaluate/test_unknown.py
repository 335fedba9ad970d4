# ruff: noqa: E501 - each source stands in one line
"""Programs of which something is not known: the evaluator must say so, and say why."""

from __future__ import annotations

from textwrap import dedent

import pytest

from pdmigrate.model import Known, Unknown
from tests.support.program import evaluate_program

ENVIRONMENT, ARGUMENTS, IO, VOLATILE, PLATFORM = "PD301", "PD302", "PD303", "PD304", "PD305"
OUTSIDE, UNSUPPORTED, BUDGET, MUTATED, CONDITION, FAILS = "PD306", "PD307", "PD308", "PD309", "PD310", "PD312"

UNKNOWN = {
    "environment with a default": ("import os\nresult = os.getenv('X', 'd')", ENVIRONMENT),
    "environment by get": ("import os\nresult = os.environ.get('X', 'd')", ENVIRONMENT),
    "environment by key": ("import os\nresult = os.environ['X']", ENVIRONMENT),
    "environment imported": ("from os import environ as e\nresult = f\"{e['X']}\"", ENVIRONMENT),
    "environment in a branch": ("import os\nresult = 1 if os.getenv('X') else 2", ENVIRONMENT),
    "environment through or": ("import os\nresult = os.getenv('X') or 'd'", ENVIRONMENT),
    "working directory": ("import os\nresult = os.getcwd()", ENVIRONMENT),
    "home folder": ("from pathlib import Path\nresult = str(Path.home())", ENVIRONMENT),
    "own file name": ("result = __file__", UNSUPPORTED),
    "platform": ("import sys\nresult = sys.platform", PLATFORM),
    "interpreter version": ("import sys\nresult = sys.version_info >= (3, 11)", PLATFORM),
    "debug flag": ("result = __debug__", PLATFORM),
    "command line": ("import sys\nresult = sys.argv[1]", ARGUMENTS),
    "parsed arguments": (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--x')\nresult = p.parse_args().x",
        ARGUMENTS,
    ),
    "a deque's text": ("from collections import deque\nresult = str(deque(['a']))", UNSUPPORTED),
    "whether a deque is a list": (
        "from collections import deque\nresult = isinstance(deque(['a']), list)",
        UNSUPPORTED,
    ),
    "what a deque holds": ("from collections import deque\nx = [1]\ndeque([x])[0].append(2)\nresult = x", MUTATED),
    "what a bounded deque holds": (
        "from collections import deque\nx = [1]\ndeque([x], 1)[0].append(2)\nresult = x",
        MUTATED,
    ),
    "time": ("import time\nresult = time.time()", VOLATILE),
    "date": ("from datetime import datetime\nresult = f'{datetime.now():%Y}'", VOLATILE),
    "random": ("import random\nresult = random.choice([1, 2])", VOLATILE),
    "uuid": ("import uuid\nresult = str(uuid.uuid4())", VOLATILE),
    "identity": ("result = id([])", VOLATILE),
    "hash": ("result = hash('a')", VOLATILE),
    "order of a set": ("result = list({'a', 'b'})", VOLATILE),
    "join of a set": ("result = ','.join({'a', 'b'})", VOLATILE),
    "text of a set": ("result = str({'a', 'b'})", VOLATILE),
    "format of a mixed enum": ("from enum import Enum\nclass E(str, Enum):\n    A = 'a'\nresult = f'{E.A}'", VOLATILE),
    "outside function": ("import httpx\nresult = httpx.get('u').text", OUTSIDE),
    "outside constant": ("from lib import CONSTANT\nresult = CONSTANT", OUTSIDE),
    "outside base class": ("from lib import Base\nclass C(Base):\n    pass\nresult = C().x", OUTSIDE),
    "outside decorator": ("from lib import deco\n@deco\ndef f():\n    return 1\nresult = f()", OUTSIDE),
    "outside class decorator": ("from lib import deco\n@deco\nclass C:\n    x = 1\nresult = C().y", OUTSIDE),
    "file outside the tree": ("result = open('/etc/hostname').read()", IO),
    "process": ("import subprocess\nresult = subprocess.check_output(['x'])", IO),
    "input": ("result = input()", IO),
    "eval": ("result = eval('1')", UNSUPPORTED),
    "exec binds anything": ("exec('result = 1')", UNSUPPORTED),
    "globals": ("result = globals()['x']", UNSUPPORTED),
    "regular expression that may take for ever": ("import re\nresult = re.match('(a+)+b', 'a' * 40)", BUDGET),
    "regular expression in a loop of choices": ("import re\nresult = re.match('(a|a)*b', 'a' * 40)", BUDGET),
    "regular expression with a reference": ("import re\nresult = re.sub(r'(a+)\\1', '', 'aa')", BUDGET),
    "regular expression that may go back over a long text": (
        "import re\nresult = re.sub(r'\\s+x', '', ' ' * 6000)",
        BUDGET,
    ),
    "whole address": ("from urllib.parse import urlsplit\nresult = urlsplit('http://a').geturl()", UNSUPPORTED),
    "regular expression of bytes": ("import re\nresult = re.sub(b'a', b'', b'a')", UNSUPPORTED),
    "unknown text for a regular expression": ("import os, re\nresult = re.sub('a', '', os.getcwd())", ENVIRONMENT),
    "unknown pattern": ("import os, re\nresult = re.findall(os.environ['X'], 'a')", ENVIRONMENT),
    "unbound name": ("result = nowhere", UNSUPPORTED),
    "certain exception": ("result = {}['x']", FAILS),
    "certain exception later": ("result = 1\nraise SystemExit", FAILS),
    "unknown key in a dict": ("import os\nd = {'a': 1}\nd[os.getenv('X')] = 2\nresult = d", ENVIRONMENT),
    "unknown spread": ("import os\nresult = {'a': 1, **os.environ}", ENVIRONMENT),
    "unknown element": ("import os\nresult = ['a', *os.environ]", ENVIRONMENT),
    "handed to something unknown": ("import lib\nx = [1]\nlib.change(x)\nresult = x", MUTATED),
    "inside what is handed over": ("import lib\nx = [1]\nlib.change({'k': x})\nresult = x", MUTATED),
    "handed to an unknown method": ("import lib\nx = {'a': 1}\nlib.Thing().use(x=x)\nresult = x", MUTATED),
    "changed in an unknown branch": (
        "import os\nx = {'a': 1}\nif os.getenv('X'):\n    x['a'] = 2\nresult = x",
        ENVIRONMENT,
    ),
    "appended in an unknown branch": (
        "import os\nx = [1]\nif os.getenv('X'):\n    x.append(2)\nresult = x",
        ENVIRONMENT,
    ),
    "bound in an unknown branch": ("import os\nif os.getenv('X'):\n    y = 2\nresult = y", ENVIRONMENT),
    "rebound in an unknown branch": ("import os\ny = 1\nif os.getenv('X'):\n    y = 2\nresult = y", ENVIRONMENT),
    "early return": (
        "import os\ndef f():\n    if os.getenv('X'):\n        return 1\n    return 2\nresult = f()",
        ENVIRONMENT,
    ),
    "change before an early return": (
        "import os\nx = []\ndef f():\n    if os.getenv('X'):\n        x.append(1)\n        return\n    x.append(2)\nf()\nresult = x",
        ENVIRONMENT,
    ),
    "unknown loop": ("import os\nx = []\nfor k in os.environ:\n    x.append(1)\nresult = x", ENVIRONMENT),
    "sum of an unknown loop": ("import os\nn = 0\nfor k in os.environ:\n    n += 1\nresult = n", ENVIRONMENT),
    "unknown while": ("import os\nn = 0\nwhile os.getenv('X'):\n    n += 1\nresult = n", ENVIRONMENT),
    "unknown break": (
        "import os\nx = []\nfor i in range(3):\n    if os.getenv('X'):\n        break\n    x.append(i)\nresult = x",
        ENVIRONMENT,
    ),
    "unknown continue": (
        "import os\nx = []\nfor i in range(3):\n    if os.getenv('X'):\n        continue\n    x.append(i)\nresult = x",
        ENVIRONMENT,
    ),
    "whether a library is there": (
        "try:\n    import lib\n    result = 1\nexcept ImportError:\n    result = 2",
        OUTSIDE,
    ),
    "whether a call fails": (
        "import lib\ntry:\n    lib.f()\n    result = 1\nexcept Exception:\n    result = 2",
        OUTSIDE,
    ),
    "state when it failed": (
        "import lib\nx = {'a': 0}\ntry:\n    x['a'] = 1\n    lib.f()\n    x['a'] = 2\nexcept Exception:\n    pass\nresult = x",
        OUTSIDE,
    ),
    "suppressed failure": (
        "import lib\nfrom contextlib import suppress\nx = 1\nwith suppress(Exception):\n    lib.f()\n    x = 2\nresult = x",
        OUTSIDE,
    ),
    "what a manager of the program swallows": (
        (
            "import lib\nclass M:\n    def __enter__(self): ...\n    def __exit__(self, *details): return True\n"
            "x = 1\nwith M():\n    lib.f()\n    x = 2\nresult = x"
        ),
        OUTSIDE,
    ),
    "whether a manager of the program swallows": (
        (
            "class M:\n    def __enter__(self): ...\n    def __exit__(self, kind, *details): return kind is ValueError\n"
            "x = 1\ntry:\n    with M():\n        raise ValueError\n    x = 2\nexcept ValueError:\n    pass\nresult = x"
        ),
        FAILS,
    ),
    "what a generator swallows as a manager": (
        (
            "import lib\nfrom contextlib import contextmanager\n@contextmanager\ndef quiet():\n    try:\n        yield\n    except Exception:\n        pass\n"
            "x = 1\nwith quiet():\n    lib.f()\n    x = 2\nresult = x"
        ),
        OUTSIDE,
    ),
    "what a manager in a generator swallows": (
        (
            "import lib\nfrom contextlib import contextmanager, suppress\n@contextmanager\ndef quiet():\n    with suppress(Exception):\n        yield\n"
            "x = 1\nwith quiet():\n    lib.f()\n    x = 2\nresult = x"
        ),
        OUTSIDE,
    ),
    "which of two managers swallows": (
        (
            "import lib, os\nclass M:\n    def __init__(self, all): self.all = all\n    def __enter__(self): ...\n    def __exit__(self, *details): return self.all\n"
            "m = M(True) if os.environ.get('X') else M(False)\nx = 1\nwith m:\n    lib.f()\n    x = 2\nresult = x"
        ),
        OUTSIDE,
    ),
    "what a generator swallows that another hands on to": (
        (
            "import lib\nfrom contextlib import contextmanager\ndef inner():\n    try:\n        yield\n    except Exception:\n        pass\n"
            "@contextmanager\ndef quiet():\n    yield from inner()\nx = 1\nwith quiet():\n    lib.f()\n    x = 2\nresult = x"
        ),
        OUTSIDE,
    ),
    "what an exception that is certain in the end hides": (
        "import lib\nx = 1\ntry:\n    lib.f()\n    x = 2\n    raise ValueError\nexcept Exception:\n    pass\nresult = x",
        OUTSIDE,
    ),
    "what is added in place and may be no iterable": (
        "import lib\nx = [1]\nresult = 1\ntry:\n    x += lib.f\n    result = 2\nexcept TypeError:\n    pass",
        OUTSIDE,
    ),
    "unknown match": (
        "import os\nmatch os.getenv('X'):\n    case 'a':\n        result = 1\n    case _:\n        result = 2",
        ENVIRONMENT,
    ),
    "unknown condition in a comprehension": ("import os\nresult = [x for x in (1, 2) if os.getenv('X')]", ENVIRONMENT),
    "length of an uncertain list": (
        "import os\nx = [1]\nif os.getenv('X'):\n    x.append(2)\nresult = len(x)",
        ENVIRONMENT,
    ),
    "index behind an uncertain element": (
        "import os\nx = []\nif os.getenv('X'):\n    x.append(2)\nx.append(3)\nresult = x[0]",
        ENVIRONMENT,
    ),
    "setattr with an unknown name": (
        "import os\nclass C:\n    a = 1\nc = C()\nc.a = 2\nsetattr(c, os.getenv('X'), 3)\nresult = c.a",
        ENVIRONMENT,
    ),
    "metaclass": (
        "class M(type):\n    def __getattr__(cls, n):\n        return n\nclass C(metaclass=M):\n    pass\nresult = C.x",
        UNSUPPORTED,
    ),
    "enum with its own values": (
        "from enum import Enum\nclass E(Enum):\n    def _generate_next_value_(name, *a):\n        return name\n    A = 'a'\nresult = [e for e in E]",
        UNSUPPORTED,
    ),
    "auto() of a flag": (
        "from enum import Flag, auto\nclass F(Flag):\n    A = auto()\nresult = F.A.value",
        UNSUPPORTED,
    ),
    "slice assignment": ("import os\nx = [1, 2, 3]\nx[1:] = os.environ\nresult = x", MUTATED),
    "module that is not there": ("from .missing import x\nresult = x", OUTSIDE),
    "star import from outside": ("from lib import *\nresult = name", OUTSIDE),
    "pydantic validator": (
        "from pydantic import BaseModel, field_validator\nclass M(BaseModel):\n    x: str\n    @field_validator('x')\n    def v(cls, x):\n        return x * 2\nresult = M(x='a').x",
        UNSUPPORTED,
    ),
    "settings": (
        "from pydantic_settings import BaseSettings\nclass S(BaseSettings):\n    x: str = 'd'\nresult = S().x",
        ENVIRONMENT,
    ),
    "text of a signature": ("import inspect\ndef f(a): ...\nresult = str(inspect.signature(f))", UNSUPPORTED),
    "signature of a class": (
        "import inspect\nclass C: ...\nresult = list(inspect.signature(C).parameters)",
        UNSUPPORTED,
    ),
    "signature of a library's function": (
        "import inspect, lib\nresult = list(inspect.signature(lib.f).parameters)",
        UNSUPPORTED,
    ),
    "annotation that is bound twice": (
        "import inspect\nT = int\ndef f(a: T): ...\nT = str\nresult = inspect.signature(f).parameters['a'].annotation is int",
        UNSUPPORTED,
    ),
    "annotation from outside": (
        "import inspect, lib\ndef f(a: lib.T): ...\nresult = inspect.signature(f).parameters['a'].annotation is lib.U",
        OUTSIDE,
    ),
    "docstring that may be inherited": (
        "import inspect\nclass A:\n    def f(self): 'D'\nclass B(A):\n    def f(self): ...\nresult = inspect.getdoc(B().f)",
        UNSUPPORTED,
    ),
    "hint of a default None": (
        "from typing import get_type_hints\ndef f(a: int = None): ...\nresult = get_type_hints(f)['a'] is int",
        PLATFORM,
    ),
    "annotations of types": ("def f(a: int): ...\nresult = f.__annotations__", UNSUPPORTED),
    "text of a generator": ("result = str(x for x in [1])", UNSUPPORTED),
    "text of a range": ("result = f'{range(3)}'", UNSUPPORTED),
    "text of a view": ("result = str({'a': 1}.keys())", UNSUPPORTED),
    "a generator as JSON": ("result = {'required': (x for x in ['a'])}", UNSUPPORTED),
    "a range as JSON": ("result = {'enum': range(3)}", UNSUPPORTED),
    "the values of a dict as JSON": ("result = {'enum': {'a': 1}.values()}", UNSUPPORTED),
    "sorted names of the environment": ("import os\nresult = sorted(os.environ)", ENVIRONMENT),
    "an iterator read in parts": (
        "x = [1, 2]\ng = (y for y in x)\nnext(g)\nx.append(3)\nresult = list(g)",
        MUTATED,
    ),
    "an iterator that another one reads": (
        "it = iter([1, 2, 3])\nany(x > 1 for x in it)\nresult = list(it)",
        UNSUPPORTED,
    ),
    "an iterator read under a condition": (
        "import os\ng = (x for x in [1])\nif os.getenv('X'):\n    list(g)\nresult = list(g)",
        ENVIRONMENT,
    ),
    "identity of equal tuples": ("result = (1, 2) is (1, 2)", VOLATILE),
    "an element of a set": ("result = {'a', 'b'}.pop()", VOLATILE),
    "wrong number of arguments": ("result = [1].append(1, 2)", FAILS),
    "wrong keyword": ("result = sorted([1], by=len)", FAILS),
    "a list as a key": ("result = {[1]: 2}", FAILS),
    "removing what is not in a set": ("s = {1}\ns.remove(2)\nresult = 1", FAILS),
    "a generator has no length": ("result = len(x for x in [1])", FAILS),
    "a field that the format misses": ("result = '{a}'.format(b=1)", FAILS),
    "two ways of numbering": ("result = '{0}{}'.format(1, 2)", FAILS),
    "a field that a named tuple has not": (
        "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\nresult = P(1)._replace(y=2)",
        UNSUPPORTED,
    ),
    "no regular expression": ("import re\nresult = re.compile('(')", FAILS),
    "zip of different lengths": ("result = list(zip([1], [1, 2], strict=True))", FAILS),
    "zip of an unknown list": ("import os\nresult = list(zip([1], os.getenv('X')))", ENVIRONMENT),
    "enumerate from an unknown number": ("import os\nresult = list(enumerate([1], os.getenv('X')))", ENVIRONMENT),
    "unknown subject of a pattern": (
        "import os\nmatch os.environ:\n    case {'X': x}:\n        result = x\n    case _:\n        result = 1",
        ENVIRONMENT,
    ),
    "unknown import": ("import importlib, os\nresult = importlib.import_module(os.getenv('X')).y", ENVIRONMENT),
}


@pytest.mark.parametrize(("source", "code"), UNKNOWN.values(), ids=UNKNOWN)
def test_the_evaluator_says_that_it_does_not_know(source: str, code: str) -> None:
    value = evaluate_program(source + "\n")
    assert isinstance(value, Unknown), value
    assert value.code == code, value
    assert value.reason


STILL_KNOWN = {
    "what is done within a manager that swallows nothing": (
        (
            "import lib\nclass M:\n    def __enter__(self): ...\n    def __exit__(self, *details): lib.left()\n"
            "x = 1\nwith M():\n    lib.f()\n    x = 2\nresult = x"
        ),
        2,
    ),
    "what is done within a generator that raises again": (
        (
            "import lib\nfrom contextlib import contextmanager\n@contextmanager\ndef logged():\n    try:\n        yield\n    except Exception:\n        lib.log()\n        raise\n    finally:\n        lib.left()\n"
            "x = 1\nwith logged():\n    lib.f()\n    x = 2\nresult = x"
        ),
        2,
    ),
    "what is done within a generator that enters a library's manager": (
        (
            "import lib\nfrom contextlib import contextmanager\n@contextmanager\ndef span():\n    with lib.span('x') as s:\n        yield s\n"
            "x = 1\nwith span():\n    lib.f()\n    x = 2\nresult = x"
        ),
        2,
    ),
    "an exception that suppress does not name": (
        "import lib\nfrom contextlib import suppress\nx = 1\ntry:\n    with suppress(KeyError):\n        raise ValueError\nexcept ValueError:\n    x = 2\nresult = x",
        2,
    ),
    "what all of several tuples have in one place": (
        "import os\ndef f():\n    if os.environ.get('X'):\n        return 1, None\n    return 1, [2]\nresult, _ = f()",
        1,
    ),
    "what an object does that may be missing": (
        (
            "import os\nclass C:\n    def look(self, items): return len(items)\nc = C() if os.environ.get('X') else None\n"
            "result = [1, 2]\nif c is not None:\n    c.look(result)"
        ),
        [1, 2],
    ),
    "what a loop hands to an object that is not known": (
        "import lib\nresult = 1\nfor row in lib.rows():\n    kept = {}\n    if kept.get(row):\n        row['x'] = kept",
        1,
    ),
    "what was before an endless loop": (
        "import time\nresult = 1\ntry:\n    while True:\n        time.sleep(1)\nexcept KeyboardInterrupt:\n    pass",
        1,
    ),
    "what the unknown does not touch": ("import os\nd = {'a': os.getenv('X'), 'b': 2}\nresult = d['b']", 2),
    "both sides agree": ("import os\ny = 1 if os.getenv('X') else 1\nresult = y", 1),
    "both branches agree": ("import os\nif os.getenv('X'):\n    y = [1]\n    z = 1\nelse:\n    z = 1\nresult = z", 1),
    "elements before the doubt": ("import os\nx = [7]\nif os.getenv('X'):\n    x.append(2)\nresult = x[0]", 7),
    "other keys": ("import os\nx = {'a': 1, 'b': 2}\nif os.getenv('X'):\n    x['a'] = 3\nresult = x['b']", 2),
    "a branch that only raises": ("import os\nif not os.getenv('X'):\n    raise SystemExit\nresult = 1", 1),
    "logging": ("import logging\nlog = logging.getLogger(__name__)\nx = [1]\nlog.info('x', x)\nresult = x", [1]),
    "a copy taken before": ("import lib\nx = [1]\ny = list(x)\nlib.change(x)\nresult = y", [1]),
    "type checking": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import lib\n    x = 1\nelse:\n    x = 2\nresult = x",
        2,
    ),
    "a dead optional import": (
        "try:\n    import json\n    ok = True\nexcept ImportError:\n    ok = False\nresult = ok",
        True,
    ),
    "membership in a set": ("result = 'a' in {'a', 'b'}", True),
    "sorted set": ("result = sorted({'b', 'a'})", ["a", "b"]),
    "restored after a branch": ("import os\nx = [1]\nif os.getenv('X'):\n    x = [2]\n    x.append(3)\nresult = 5", 5),
}


@pytest.mark.parametrize(("source", "expected"), STILL_KNOWN.values(), ids=STILL_KNOWN)
def test_an_unknown_spreads_no_further_than_it_must(source: str, expected: object) -> None:
    value = evaluate_program(dedent(source) + "\n")
    assert isinstance(value, Known), value
    assert value.value == expected


def test_a_known_value_says_where_it_came_from() -> None:
    value = evaluate_program("NAME = 'x'\nresult = f'a {NAME}'\n")
    assert isinstance(value, Known)
    assert [str(step.text) for step in value.steps] == ["constant result", "f-string", "constant NAME", "literal"]
    assert [step.site.line for step in value.steps if step.site] == [2, 2, 1, 1]
