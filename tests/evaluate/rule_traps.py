# ruff: noqa: E501, W291 - the programs are as people write them
"""Programs whose result depends on the run, or is beyond the evaluator, with the code that says why."""

from __future__ import annotations

UNKNOWN = {
    "members of an enum whose base depends on the interpreter": (
        "PD305",
        r"""
import sys
from enum import Enum
if sys.version_info >= (3, 11):
    from enum import StrEnum
else:
    class StrEnum(str, Enum): pass
class Mode(StrEnum):
    FAST = "fast"
result = Mode.FAST.value
""",
    ),
    "members of an enum of a library": (
        "PD306",
        r"""
from somewhere import TextEnum
class Mode(TextEnum):
    FAST = "fast"
result = Mode.FAST
""",
    ),
    "the docstring of a dataclass": (
        "PD307",
        r"""
from dataclasses import dataclass
@dataclass
class D:
    a: int = 1
result = D.__doc__
""",
    ),
    "a parameter refuses to be changed": (
        "PD309",
        r"""
import inspect
def f(a): pass
try:
    inspect.signature(f).parameters["a"].kind = 3
    result = 1
except AttributeError:
    result = 2
""",
    ),
    "a signature of a parameter that may have been changed": (
        "PD309",
        r"""
import inspect
def f(a): pass
kept = [*inspect.signature(f).parameters.values()][0]
try:
    kept.kind = 3
except AttributeError:
    pass
result = len(inspect.Signature([kept]).parameters)
""",
    ),
    "a signature that may have been changed": (
        "PD309",
        r"""
import inspect
def f(a): pass
kept = inspect.signature(f)
try:
    kept.parameters = 3
except AttributeError:
    pass
result = len(kept.replace(return_annotation=int).parameters)
""",
    ),
    "a name bound on two of three branches is read": (
        "PD301",
        r"""
import os
E = os.environ.get("E")
if E:
    x = 1
elif os.environ.get("F"):
    x = 2
try:
    x
    result = 5
except NameError:
    result = 7
""",
    ),
    "a name bound on one branch is read": (
        "PD301",
        r"""
import os
E = os.environ.get("E")
def f():
    if E:
        x = 1
    return [x, x]
try:
    result = len(f())
except NameError:
    result = 7
""",
    ),
    "both values of a name are true, but it may be unbound": (
        "PD301",
        r"""
import os
E = os.environ.get("E")
def f():
    if E:
        x = 1
    elif os.environ.get("F"):
        x = 2
    return "a" if x else "b"
result = f()
""",
    ),
    "a name bound on one branch is a list with another name": (
        "PD309",
        r"""
import os
E = os.environ.get("E")
items = []
if E:
    x = items
x.append(1)
result = items
""",
    ),
    "a function defined on one branch is called": (
        "PD301",
        r"""
import os
E = os.environ.get("E")
items = []
if E:
    def add(item): items.append(item)
add(1)
result = items
""",
    ),
    "an attribute set on two of three branches": (
        "PD301",
        r"""
import os
E = os.environ.get("E")
class K: pass
k = K()
if E:
    k.a = 1
elif os.environ.get("F"):
    k.a = 2
result = [len(k.__dict__), "a" in k.__dict__]
""",
    ),
    "getattr of an attribute set on one branch": (
        "PD301",
        r"""
import os
E = os.environ.get("E")
class K: pass
k = K()
if E:
    k.a = 1
result = getattr(k, "a", 1) and 2
""",
    ),
    "hasattr of an attribute of a class set on one branch": (
        "PD301",
        r"""
import os
E = os.environ.get("E")
class K:
    if E:
        a = 1
result = hasattr(K, "a")
""",
    ),
    "an attribute of a class, or its base's": (
        "PD301",
        r"""
import os
E = os.environ.get("E")
class B:
    x = 0
class K(B):
    if E:
        x = 1
result = "t" if K.x else "f"
""",
    ),
    "a method defined on one branch": (
        "PD301",
        r"""
import os
E = os.environ.get("E")
log = []
class B:
    def f(self): log.append(1)
class K(B):
    if E:
        def f(self): log.append(2)
K().f()
result = log
""",
    ),
    "a special method defined on one branch": (
        "PD301",
        r"""
import os
E = os.environ.get("E")
class K:
    a = 1
    if E:
        def __init__(self): self.a = 2
result = K().a
""",
    ),
    "equality defined on one branch": (
        "PD301",
        r"""
import os
E = os.environ.get("E")
class K:
    if E:
        def __eq__(self, other): return True
result = K() == 3
""",
    ),
    "a field declared on one branch": (
        "PD301",
        r"""
import os
E = os.environ.get("E")
from dataclasses import dataclass, fields
@dataclass
class D:
    a: int = 1
    if E:
        b: int = 2
result = [field.name for field in fields(D)]
""",
    ),
    "function of a library": ("PD307", "import inspect, textwrap\nresult = inspect.isfunction(textwrap.dedent)"),
    "class or function of a library": ("PD306", "import textwrap\nresult = isinstance(textwrap.dedent, type)"),
    "method of a list as a routine": ("PD307", "import inspect\nresult = inspect.isroutine([].append)"),
    "before Python 3.11 a generic is a class": ("PD307", "import inspect\nresult = inspect.isclass(list[int])"),
    "and an instance of type": ("PD306", "result = isinstance(list[int], type)"),
    "a generic can be called": ("PD306", "result = callable(list[int])"),
    "a cached function is no function": (
        "PD307",
        r"""
import functools, inspect
@functools.cache
def f(): pass
result = inspect.isfunction(f)
""",
    ),
    "an instance may have __call__ from a library": (
        "PD306",
        r"""
import functools
class P(functools.partial): pass
result = callable(P(len))
""",
    ),
    "instance of a protocol": (
        "PD307",
        r"""
from typing import Protocol, runtime_checkable
@runtime_checkable
class Runs(Protocol):
    def run(self): ...
class A:
    def run(self): pass
result = isinstance(A(), Runs)
""",
    ),
    "subclass of a protocol": (
        "PD307",
        r"""
from typing import Protocol, runtime_checkable
@runtime_checkable
class Runs(Protocol):
    def run(self): ...
class A:
    def run(self): pass
result = issubclass(A, Runs)
""",
    ),
    "instance by a metaclass": (
        "PD307",
        r"""
class M(type):
    def __instancecheck__(cls, value): return True
class A(metaclass=M): pass
result = isinstance(3, A)
""",
    ),
    "subclass by a hook": (
        "PD307",
        r"""
from abc import ABC
class B(ABC):
    @classmethod
    def __subclasshook__(cls, other): return True
class A: pass
result = isinstance(A(), B)
""",
    ),
    "registered subclass": (
        "PD307",
        r"""
from abc import ABC
class B(ABC): pass
class A: pass
B.register(A)
result = isinstance(A(), B)
""",
    ),
    "args of an exception": (
        "PD307",
        r"""
class Odd(Exception): pass
try:
    result = Odd("a").args
except AttributeError:
    result = "none"
""",
    ),
    "special method that every object has": ("PD307", "class A: pass\nresult = hasattr(A(), '__hash__')"),
    "what members have from their class": (
        "PD307",
        r"""
from enum import IntEnum
class E(IntEnum):
    A = 1
result = hasattr(E.A, "_member_map_")
""",
    ),
    "raw doc multi-line": (
        "PD305",
        r'''
def f():
    """First.

        indented
    second"""
result = f.__doc__
''',
    ),
    "class doc": (
        "PD305",
        r'''
class C:
    """A.
    B"""
result = C.__doc__
''',
    ),
    "doc stripped": (
        "PD305",
        r'''
def f():
    """
    First.
      second
    """
result = f.__doc__.strip()
''',
    ),
    "doc len": (
        "PD305",
        r'''
def f():
    """First.
      second
    """
result = len(f.__doc__)
''',
    ),
    "doc compare": (
        "PD305",
        r'''
def f():
    """First.
      second
    """
result = '    ' in f.__doc__
''',
    ),
    "part of an argument in a format": ("PD307", "result = '{0[a]}'.format({'a': 1})"),
    "operator on the keys of a dict": ("PD307", "result = sorted({'a': 1}.keys() & {'a', 'b'})"),
    "a set changes while an iterator reads it": (
        "PD309",
        r"""
import itertools
s = {1}
read = itertools.chain(s, [2, 3])
next(read)
s.add(5)
result = list(read)
""",
    ),
    "str OrderedDict": (
        "PD305",
        r"""
from collections import OrderedDict
result = str(OrderedDict(a=1))
""",
    ),
    "repr OrderedDict f-string": (
        "PD305",
        r"""
from collections import OrderedDict
result = f"{OrderedDict(a=1)!r}"
""",
    ),
    "defaultdict str": (
        "PD307",
        r"""
from collections import defaultdict
d = defaultdict(list); d['a'].append(1)
result = str(d)
""",
    ),
    "defaultdict in list str": (
        "PD307",
        r"""
from collections import defaultdict
d = defaultdict(list); d['a'].append(1)
result = str([d])
""",
    ),
    "mappingproxy json": (
        "PD307",
        r"""
from types import MappingProxyType
import json
try:
    result = json.dumps(MappingProxyType({'a': 1}))
except TypeError:
    result = 'err'
""",
    ),
    "Counter": (
        "PD306",
        r"""
from collections import Counter
result = Counter('aab')['a']
""",
    ),
    "Counter most_common": (
        "PD306",
        r"""
from collections import Counter
result = Counter('aab').most_common(1)[0][0]
""",
    ),
    "Counter missing": (
        "PD306",
        r"""
from collections import Counter
result = Counter('aab')['z']
""",
    ),
    "ChainMap": (
        "PD306",
        r"""
from collections import ChainMap
result = dict(ChainMap({'a': 1}, {'a': 2, 'b': 3}))
""",
    ),
    "ChainMap get": (
        "PD306",
        r"""
from collections import ChainMap
result = ChainMap({'a': 1}, {'a': 2, 'b': 3})['a']
""",
    ),
    "singledispatch": (
        "PD306",
        r"""
from functools import singledispatch
@singledispatch
def f(x): return 'o'
@f.register
def _(x: int): return 'i'
result = f(1)
""",
    ),
    "set order": (
        "PD304",
        r"""
result = [x for x in {'a','b','c'}]
""",
    ),
    "set ints": (
        "PD304",
        r"""
result = list({3,1,2})
""",
    ),
    "dict mutated iterating": (
        "PD312",
        r"""
d = {'a': 1}
for k in d:
    d['b'] = 2
result = d
""",
    ),
    "dict pop+add while iterating (same size)": (
        "PD309",
        r"""
d = {'a': 1, 'b': 2}
for k in d:
    d.pop(k); d[k + 'x'] = 1
    if len(k) > 3: break
result = d
""",
    ),
    "conditional import ujson": (
        "PD306",
        r"""
try:
    import ujson as json
except ImportError:
    import json
result = json.dumps({'a': 1})
""",
    ),
    "sys.version_info": (
        "PD305",
        r"""
import sys
if sys.version_info >= (3, 8):
    result = 'new'
else:
    result = 'old'
""",
    ),
    "sys.version_info >= 3.11": (
        "PD305",
        r"""
import sys
result = 'x' if sys.version_info >= (3, 11) else 'y'
""",
    ),
    "sys.version_info[0]": (
        "PD305",
        r"""
import sys
result = sys.version_info[0] == 3
""",
    ),
    "metaclass iter": (
        "PD307",
        r"""
class M(type):
    def __iter__(cls): return iter(['a', 'b'])
class A(metaclass=M): pass
result = list(A)
""",
    ),
    "getattr module level": (
        "PD307",
        r"""
def __getattr__(name): return name * 2
result = 1
try:
    result = foo
except NameError:
    result = 'ne'
""",
    ),
    "eq hash in dict": (
        "PD307",
        r"""
class K:
    def __init__(s, n): s.n = n
    def __eq__(s, o): return s.n == o.n
    def __hash__(s): return 1
d = {K(1): 'a'}
d[K(1)] = 'b'
result = list(d.values())
""",
    ),
    "del local": (
        "PD307",
        r"""
x = 1
def f():
    global x
    del x
f()
try:
    result = x
except NameError: result = 'gone'
""",
    ),
    "except var deleted": (
        "PD307",
        r"""
try:
    raise ValueError('a')
except ValueError as e:
    m = str(e)
try:
    e
    result = 'there'
except NameError:
    result = 'gone ' + m
""",
    ),
    "unbound local": (
        "PD312",
        r"""
x = 1
def f():
    if False: x = 2
    return x
try: result = f()
except UnboundLocalError: result = 'ub'
""",
    ),
    "create_task order": (
        "PD304",
        r"""
import asyncio
out = []
async def add(n): out.append(n)
async def main():
    t = asyncio.create_task(add(1))
    out.append(0)
    await t
asyncio.run(main())
result = out
""",
    ),
    "namedtuple eq tuple": (
        "PD307",
        r"""
from collections import namedtuple
P = namedtuple('P', 'x y')
result = [P(1, 2) == (1, 2), str(P(1, 2)), P(1, 2)._asdict(), P._fields]
""",
    ),
    "namedtuple defaults": (
        "PD307",
        r"""
from collections import namedtuple
P = namedtuple('P', 'x y z', defaults=[5])
result = [list(P(1, 2)), P.__name__, P.__doc__]
""",
    ),
    "dataclass repr": (
        "PD307",
        r"""
from dataclasses import dataclass
@dataclass
class A:
    x: int
    y: str = 'a'
result = [str(A(1)), A(1) == A(1), A(1) == A(2), A.__doc__]
""",
    ),
    "dataclass order": (
        "PD307",
        r"""
from dataclasses import dataclass, field
@dataclass(order=True)
class A:
    p: int
    n: str = field(compare=False, default='')
result = [a.n for a in sorted([A(2, 'b'), A(1, 'z')])]
""",
    ),
    "dataclass post init": (
        "PD307",
        r"""
from dataclasses import dataclass, field, InitVar
@dataclass
class A:
    x: int
    y: InitVar[int] = 3
    z: int = field(init=False)
    def __post_init__(self, y): self.z = self.x + y
result = [A(1).z, A(1, 5).z]
""",
    ),
    "frozen dataclass set": (
        "PD312",
        r"""
from dataclasses import dataclass
@dataclass(frozen=True)
class A:
    x: int
a = A(1)
try:
    a.x = 2
    result = a.x
except Exception as e:
    result = type(e).__name__
""",
    ),
    "enum str()": (
        "PD307",
        r"""
from enum import Enum
class E(Enum):
    A = 1
result = [str(E.A), repr(E.A), E.A.name, E['A'].value, E(1).name, len(E)]
""",
    ),
    "enum with init": (
        "PD307",
        r"""
from enum import Enum
class E(Enum):
    A = ('a', 1)
    B = ('b', 2)
    def __init__(self, label, n):
        self.label = label; self.n = n
    @property
    def both(self): return f"{self.label}{self.n}"
result = [[e.label, e.both] for e in E]
""",
    ),
    "str enum in dict repr": (
        "PD307",
        r"""
from enum import Enum
class E(str, Enum):
    A = 'a'
result = str([E.A])
""",
    ),
    "any/all generator": (
        "PD309",
        r"""
xs = []
any(xs.append(i) or i > 1 for i in range(5))
result = xs
""",
    ),
    "f-string class": (
        "PD307",
        r"""
class C: pass
result = f"{C}"
""",
    ),
    "f-string func name": (
        "PD307",
        r"""
def foo(): pass
result = f"{foo.__name__}-{type(1).__name__}-{type('').__name__}-{type(foo).__name__}"
""",
    ),
    "str of exception": (
        "PD306",
        r"""
try:
    raise ValueError('a', 1)
except ValueError as e:
    result = [str(e), repr(e), list(e.args), type(e).__name__]
""",
    ),
    "custom exception": (
        "PD307",
        r"""
class MyErr(Exception):
    def __init__(self, m, code): 
        super().__init__(m); self.code = code
try:
    raise MyErr('boo', 3)
except MyErr as e:
    result = [str(e), e.code]
""",
    ),
    "exception chaining / else / finally order": (
        "PD306",
        r"""
log = []
def f(x):
    try:
        log.append('t')
        if x: raise KeyError('k')
    except (ValueError, KeyError) as e:
        log.append('e' + str(e)); return 1
    else:
        log.append('el'); return 2
    finally:
        log.append('f')
result = [f(1), f(0), log]
""",
    ),
    "contextmanager": (
        "PD309",
        r"""
from contextlib import contextmanager
log = []
@contextmanager
def cm(x):
    log.append('in')
    try:
        yield x * 2
    finally:
        log.append('out')
with cm(3) as v:
    log.append(v)
result = log
""",
    ),
    "generator send/return": (
        "PD307",
        r"""
def g():
    yield 1
    return 5
def h():
    r = yield from g()
    yield r
result = list(h())
""",
    ),
    "generator lazily sees change": (
        "PD309",
        r"""
n = 1
def g():
    yield n
    yield n
it = g()
a = next(it); n = 2; b = next(it)
result = [a, b]
""",
    ),
    "dir/vars/hasattr": (
        "PD307",
        r"""
class A:
    x = 1
    def f(self): pass
a = A(); a.y = 2
result = [vars(a), hasattr(a, 'x'), hasattr(a, 'z'), getattr(a, 'q', 'd'), [n for n in dir(A) if not n.startswith('_')], a.__dict__]
""",
    ),
    "getattribute": (
        "PD307",
        r"""
class A:
    x = 1
    def __getattribute__(self, n): return 'all ' + n
result = A().x
""",
    ),
    "__contains__/__getitem__/__iter__": (
        "PD307",
        r"""
class A:
    def __getitem__(self, i):
        if i > 2: raise IndexError
        return i * 10
result = [list(A()), 20 in A(), A()[1]]
""",
    ),
    "operators": (
        "PD307",
        r"""
class V:
    def __init__(s, x): s.x = x
    def __add__(s, o): return V(s.x + o.x)
    def __radd__(s, o): return s if o == 0 else NotImplemented
    def __mul__(s, n): return V(s.x * n)
    def __lt__(s, o): return s.x < o.x
    def __call__(s, y): return s.x + y
    def __repr__(s): return f'V({s.x})'
result = [(V(1) + V(2)).x, sum([V(1), V(5)]).x, (V(2) * 3).x, V(1) < V(2), V(1)(2), str(V(3)), f"{V(4)}", str([V(5)]), sorted([V(2), V(1)])[0].x]
""",
    ),
    "str subclass": (
        "PD306",
        r"""
class S(str):
    def shout(self): return self.upper() + '!'
s = S('a')
result = [s.shout(), s + 'b', isinstance(s, str), s == 'a']
""",
    ),
    "list subclass": (
        "PD307",
        r"""
class L(list):
    def add(self, x): self.append(x); return self
l = L([1]); l.add(2)
result = [len(l), list(l), l == [1, 2]]
""",
    ),
    "int subclass": (
        "PD307",
        r"""
class I(int):
    @property
    def d(self): return self * 2
result = I(4).d
""",
    ),
    "dict subclass missing": (
        "PD307",
        r"""
class D(dict):
    def __missing__(self, k): return 'm' + k
d = D(a=1)
result = [d['a'], d['b'], d.get('c'), "{x}".format_map(d)]
""",
    ),
    "UserDict": (
        "PD307",
        r"""
from collections import UserDict
class D(UserDict):
    def __setitem__(self, k, v): super().__setitem__(k.upper(), v)
d = D(); d['a'] = 1
result = dict(d)
""",
    ),
    "typing.NamedTuple with method and default": (
        "PD307",
        r"""
from typing import NamedTuple
class T(NamedTuple):
    "A tool."
    name: str
    n: int = 3
    def both(self): return f"{self.name}{self.n}"
result = [T('a').both(), list(T('b', 1)), T('x')._replace(n=9).n, T.__doc__, T._fields, str(T('q'))]
""",
    ),
    "TypedDict": (
        "PD307",
        r"""
from typing import TypedDict
class T(TypedDict, total=False):
    a: int
t = T(a=1)
result = [t, type(t) is dict, T.__annotations__ == {'a': int}]
""",
    ),
    "assert": (
        "PD312",
        r"""
assert True, 'x'
try:
    assert 1 == 2, 'msg'
except AssertionError as e: result = str(e)
""",
    ),
    "int/str identity": (
        "PD304",
        r"""
a = 'abc'; b = 'abc'
result = [a is b, 1 is 1, None is None, True is True, (lambda: 300)() == 300]
""",
    ),
    "int parse": (
        "PD307",
        r"""
result = [int('0x1f', 16), int(' 12 '), float('1e3'), int('1_000'), bool('False'), int(True), round(1234.5678, -2), round(2.5), abs(-3), pow(2, 3, 5), hex(255), bin(5), oct(8), chr(65), ord('a')]
""",
    ),
    "operator": (
        "PD306",
        r"""
import operator
from operator import itemgetter, attrgetter
result = [sorted([{'a': 2}, {'a': 1}], key=itemgetter('a')), operator.add(1, 2), sorted([('b', 1), ('a', 2)], key=operator.itemgetter(1))]
""",
    ),
    "itertools": (
        "PD306",
        r"""
import itertools
result = [list(itertools.chain([1], [2])), list(itertools.chain.from_iterable([[1], [2]])), [[k, list(g)] for k, g in itertools.groupby([1, 1, 2])], list(itertools.islice('abc', 2)), [list(p) for p in itertools.product('ab', [1])], list(itertools.accumulate([1, 2, 3]))]
""",
    ),
    "functools partial / reduce": (
        "PD306",
        r"""
from functools import partial, reduce
p = partial(lambda a, b, c=0: [a, b, c], 1, c=5)
result = [p(2), reduce(lambda a, b: a + b, [1, 2, 3]), p.args, p.keywords]
""",
    ),
    "globals() / locals()": (
        "PD307",
        r"""
x = 1
result = locals().get('x')
""",
    ),
    "vars module / dir()": (
        "PD307",
        r"""
def tool_a(): "A."
def tool_b(): "B."
result = [n for n in dir() if n.startswith('tool_')]
""",
    ),
    "globals items": (
        "PD307",
        r"""
def tool_a(): "A."
def tool_b(): "B."
result = [k for k, v in list(globals().items()) if k.startswith('tool_')]
""",
    ),
    "f.__defaults__": (
        "PD307",
        r"""
def f(a, b=2): pass
result = [list(f.__defaults__), f.__code__.co_argcount, f.__code__.co_varnames]
""",
    ),
    "function attributes": (
        "PD307",
        r"""
def f(): pass
f.x = 1
result = [f.x, f.__dict__]
""",
    ),
    "import aliasing sys.modules": (
        "PD307",
        r"""
import sys
result = __name__ in sys.modules
""",
    ),
    "isinstance tuples / abc": (
        "PD306",
        r"""
from collections.abc import Mapping, Sequence, Iterable, Callable
result = [isinstance({}, Mapping), isinstance('', Sequence), isinstance([], Sequence), isinstance({1}, Sequence), isinstance(1, (int, str)), isinstance(True, int), issubclass(bool, int), isinstance(len, Callable), isinstance({}.keys(), Iterable)]
""",
    ),
    "int | None isinstance": (
        "PD306",
        r"""
result = [isinstance(1, int | None), isinstance(None, int | None)]
""",
    ),
    "numeric equality keys": (
        "PD304",
        r"""
result = [{1: 'a'}.get(True), {1.0: 'b'}[1], 1 == True, '1' == 1, hash(1) == hash(1.0)]
""",
    ),
    "async with": (
        "PD309",
        r"""
import asyncio
from contextlib import asynccontextmanager
T = []
@asynccontextmanager
async def cm():
    T.append('in')
    yield 5
    T.append('out')
async def main():
    async with cm() as x: T.append(x)
asyncio.run(main())
result = T
""",
    ),
    "functools.singledispatchmethod": (
        "PD306",
        r"""
from functools import singledispatchmethod
class A:
    @singledispatchmethod
    def f(self, x): return 'o'
    @f.register
    def _(self, x: int): return 'i'
result = A().f(1)
""",
    ),
    "total_ordering": (
        "PD307",
        r"""
from functools import total_ordering
@total_ordering
class A:
    def __init__(s, x): s.x = x
    def __lt__(s, o): return s.x < o.x
    def __eq__(s, o): return s.x == o.x
result = [A(1) >= A(2), A(1) <= A(1)]
""",
    ),
    "for break generator side effects": (
        "PD309",
        r"""
T = []
def g():
    for i in range(3):
        T.append(i); yield i
for x in g():
    if x == 1: break
result = T
""",
    ),
    "in generator side effects": (
        "PD309",
        r"""
T = []
def f(i): T.append(i); return i
r = 1 in (f(i) for i in range(4))
result = T
""",
    ),
    "zip generator short": (
        "PD309",
        r"""
T = []
def g():
    for i in range(5):
        T.append(i); yield i
list(zip([1, 2], g()))
result = T
""",
    ),
    "islice generator": (
        "PD309",
        r"""
from itertools import islice
T = []
def g():
    for i in range(5):
        T.append(i); yield i
list(islice(g(), 2))
result = T
""",
    ),
    "generator interleaving": (
        "PD309",
        r"""
T = []
def g():
    T.append('g1'); yield 1
    T.append('g2'); yield 2
for x in g(): T.append(x)
result = T
""",
    ),
    "map interleaving": (
        "PD309",
        r"""
T = []
for x in map(lambda v: (T.append(v), v)[1], [1, 2]): T.append(x * 10)
result = T
""",
    ),
    "zip interleaving": (
        "PD309",
        r"""
T = []
def g(n):
    for i in range(2): T.append(f'{n}{i}'); yield i
list(zip(g('a'), g('b')))
result = T
""",
    ),
    "enumerate gen": (
        "PD309",
        r"""
T = []
def g():
    for i in range(2): T.append(i); yield i
for i, x in enumerate(g()): T.append('b')
result = T
""",
    ),
    "yield value order": (
        "PD309",
        r"""
T = []
def g():
    T.append('start')
    yield 1
    T.append('end')
it = g()
T.append('made')
next(it)
T.append('next')
result = T
""",
    ),
    "one of two unknown results may have raised": (
        "PD301",
        r"""
import copy, os
items = [1, 2]
items = [2, *items] if os.getenv("PD_B") == "1" else [i * x for i, x in enumerate(items)]
held = copy.deepcopy({"k": items})
held["k"].append(4)
result = 3
try:
    (items or items).index(result)
except ValueError:
    pass
else:
    result *= result
""",
    ),
    "globals update": (
        "PD307",
        r"""
globals().update(a=1)
result = a
""",
    ),
    "type() call 3-arg": (
        "PD307",
        r"""
C = type('C', (), {'x': 1, 'f': lambda self: 'f'})
result = [C.x, C().f(), C.__name__]
""",
    ),
    "dataclass field meta": (
        "PD307",
        r"""
from dataclasses import dataclass, field, fields
@dataclass
class A:
    x: int = field(default=1, metadata={'d': 'doc'})
result = [f.metadata['d'] for f in fields(A)] + [f.default for f in fields(A)] + [fields(A)[0].type is int]
""",
    ),
    "asdict dict_factory": (
        "PD307",
        r"""
from dataclasses import dataclass, asdict
@dataclass
class A:
    x: int
    y: object = None
result = asdict(A(1), dict_factory=lambda kv: {k: v for k, v in kv if v is not None})
""",
    ),
    "astuple": (
        "PD306",
        r"""
from dataclasses import dataclass, astuple
@dataclass
class A:
    x: int
    y: int
result = list(astuple(A(1, 2)))
""",
    ),
    "dataclass eq in list / in": (
        "PD307",
        r"""
from dataclasses import dataclass
@dataclass
class A:
    x: int
result = [A(1) in [A(1)], [A(1), A(2)].index(A(2)), A(1) != A(2)]
""",
    ),
    "dataclass hash/frozen key": (
        "PD307",
        r"""
from dataclasses import dataclass
@dataclass(frozen=True)
class A:
    x: int
result = len({A(1), A(1)})
""",
    ),
    "pydantic model dump": (
        "PD307",
        r"""
from pydantic import BaseModel, Field
class A(BaseModel):
    x: int = 1
    y: str = Field('a', alias='why')
result = [A().model_dump(), A(why='z').model_dump(by_alias=True), A(x='5').x]
""",
    ),
    "pydantic coercion": (
        "PD307",
        r"""
from pydantic import BaseModel
class A(BaseModel):
    x: int
    t: tuple[int, ...] = ()
a = A(x='7', t=[1, 2])
result = [a.x, list(a.t)]
""",
    ),
    "pydantic exclude_none": (
        "PD307",
        r"""
from pydantic import BaseModel
class A(BaseModel):
    x: int | None = None
    y: str = 'a'
result = [A().model_dump(exclude_none=True), A(y='b').model_dump(exclude_unset=True)]
""",
    ),
    "pydantic validator": (
        "PD307",
        r"""
from pydantic import BaseModel, field_validator, model_validator
class A(BaseModel):
    x: str
    @model_validator(mode='after')
    def up(self):
        self.x = self.x.upper(); return self
result = A(x='a').x
""",
    ),
    "pydantic computed/private/property": (
        "PD306",
        r"""
from pydantic import BaseModel, PrivateAttr, computed_field
class A(BaseModel):
    x: int = 1
    _p: int = PrivateAttr(default=4)
    @computed_field
    @property
    def dbl(self) -> int: return self.x * 2
result = [A().dbl, A()._p, A().model_dump()]
""",
    ),
    "pydantic nested dict to model": (
        "PD307",
        r"""
from pydantic import BaseModel
class B(BaseModel):
    n: int = 0
class A(BaseModel):
    b: B
result = [A(b={'n': 3}).b.n, A(b={'n': '4'}).model_dump()]
""",
    ),
    "pydantic str strip config": (
        "PD307",
        r"""
from pydantic import BaseModel, ConfigDict
class A(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True, str_to_upper=True)
    x: str
result = A(x='  a ').x
""",
    ),
    "pydantic validation error": (
        "PD307",
        r"""
from pydantic import BaseModel
class A(BaseModel):
    x: int
try:
    A(x='no'); result = 'ok'
except ValueError: result = 'err'
""",
    ),
    "pydantic constraint error": (
        "PD307",
        r"""
from pydantic import BaseModel, Field
class A(BaseModel):
    x: int = Field(ge=3)
try:
    A(x=1); result = 'ok'
except ValueError: result = 'err'
""",
    ),
    "pydantic Literal error": (
        "PD307",
        r"""
from pydantic import BaseModel
from typing import Literal
class A(BaseModel):
    x: Literal['a']
try:
    A(x='b'); result = 'ok'
except ValueError: result = 'err'
""",
    ),
    "pydantic copy update": (
        "PD307",
        r"""
from pydantic import BaseModel
class A(BaseModel):
    x: int = 1
    y: list = []
a = A()
b = a.model_copy(update={'x': 2})
result = [b.x, a.x, b == A(x=2)]
""",
    ),
    "weakref / contextvar": (
        "PD306",
        r"""
from contextvars import ContextVar
v = ContextVar('v', default='d')
v.set('x')
result = v.get()
""",
    ),
    "datetime strftime constant": (
        "PD307",
        r"""
import datetime
result = datetime.date(2020, 1, 2).isoformat()
""",
    ),
    "base64 / hashlib": (
        "PD306",
        r"""
import base64, hashlib
result = [base64.b64encode(b'a').decode(), hashlib.md5(b'a').hexdigest()]
""",
    ),
    "uuid5 deterministic": (
        "PD304",
        r"""
import uuid
result = str(uuid.uuid5(uuid.NAMESPACE_DNS, 'a'))
""",
    ),
    "pathlib pure": (
        "PD305",
        r"""
from pathlib import Path
result = [Path('a/b.txt').stem, str(Path('a') / 'b'), Path('a/b.txt').suffix, Path('a/b').parent.name]
""",
    ),
    "negative step, slices": (
        "PD307",
        r"""
x = list(range(10))
result = [x[::-2], x[8:2:-3], x[-3:], 'hello'[1:-1], x[10:], x[slice(1, 3)]]
""",
    ),
    "string compare/order/multiplication": (
        "PD307",
        r"""
result = ['a' < 'B', 'ab' * 2, 2 * [1], 'a' in 'abc', [1, 2] < [1, 3], (1,) + (2,), 'abc' > 'abb', None == 0]
""",
    ),
    "str of frozenset": (
        "PD304",
        r"""
result = str(frozenset({'a', 'b'}))
""",
    ),
    "text of list of set": (
        "PD304",
        r"""
result = str([{'a', 'b'}])
""",
    ),
    "sorted set by len ties": (
        "PD304",
        r"""
result = sorted({'aa', 'b', 'cc'}, key=len)
""",
    ),
    "max set key ties": (
        "PD304",
        r"""
result = max({'aa', 'b', 'cc'}, key=len)
""",
    ),
    "metaclass with extra keyword": (
        "PD307",
        r"""
class M(type):
    def __new__(m, n, b, ns, tag=None):
        c = super().__new__(m, n, b, ns); c.tag = tag; return c
    def __init__(c, n, b, ns, tag=None):
        super().__init__(n, b, ns); c.order = [tag]
class A(metaclass=M, tag='t'): pass
result = [A.tag, A.order, type(A).__name__]
""",
    ),
    "metaclass prepare": (
        "PD307",
        r"""
class M(type):
    @classmethod
    def __prepare__(m, n, b): return {'injected': 1}
class A(metaclass=M): pass
result = A.injected
""",
    ),
    "except name then reuse": (
        "PD307",
        r"""
e = 'outer'
try: raise ValueError
except ValueError as e: pass
try:
    result = e
except NameError: result = 'gone'
""",
    ),
    "task awaited": (
        "PD306",
        r"""
import asyncio
async def f(): return 5
async def main():
    t = asyncio.ensure_future(f())
    return await t
result = asyncio.run(main())
""",
    ),
    "percent set": (
        "PD304",
        r"""
result = '%s' % ({'a', 'b'},)
""",
    ),
    "percent repr own": (
        "PD307",
        r"""
class A:
    def __str__(self): return 'SA'
    def __repr__(self): return 'RA'
result = '%r' % A()
""",
    ),
    "a list sorted in a way that is not known": (
        "PD301",
        """
import os
x = [1, 2]
x.sort(reverse=os.getenv("X") is not None)
result = x[0]
""",
    ),
    "a list of unknown length reversed": (
        "PD301",
        """
import os
x = [1, *os.environ]
x.reverse()
result = x[0]
""",
    ),
    "what a context manager does around its block": (
        "PD309",
        """
from contextlib import contextmanager
log = []
@contextmanager
def section():
    log.append("in")
    yield
    log.append("out")
with section():
    log.append("body")
result = log
""",
    ),
    "a pattern that looks into a list": (
        "PD307",
        r"""
match [1, 2]:
    case [1, *rest]: result = rest
    case _: result = 'other'
""",
    ),
    "a pattern that looks into a dict": (
        "PD307",
        r"""
seen = []
match {'type': 'a'}:
    case {'type': 'b'}: seen.append('b')
    case {'type': 'a', **rest}: seen.append('a')
result = seen
""",
    ),
    "a pattern of a class": (
        "PD307",
        r"""
result = 'other'
match 'text':
    case int(): result = 'number'
    case str() as s: result = s
""",
    ),
    "an enum by a call": (
        "PD307",
        r"""
from enum import Enum
result = [member.name for member in Enum('E', 'A B')]
""",
    ),
    "a named tuple by a call": (
        "PD307",
        r"""
from collections import namedtuple
result = namedtuple('P', 'x y')(1, 2).x
""",
    ),
    "a named tuple with another value": (
        "PD307",
        r"""
from typing import NamedTuple
class P(NamedTuple):
    x: int
result = P(1)._replace(x=2).x
""",
    ),
    "what itertools takes from an iterator": (
        "PD309",
        r"""
from itertools import islice
xs = iter([1, 2, 3])
first = islice(xs, 1)
result = list(xs)
""",
    ),
    "what a function of functools is called with": (
        "PD306",
        r"""
from functools import reduce
seen = []
reduce(lambda a, b: seen.append(b), [1, 2])
result = seen
""",
    ),
    "an ordered dict that is put in order": (
        "PD309",
        r"""
from collections import OrderedDict
d = OrderedDict(a=1, b=2)
d.move_to_end('a')
result = list(d)
""",
    ),
    "an ordered dict that loses its last": (
        "PD309",
        r"""
from collections import OrderedDict
d = OrderedDict(a=1, b=2)
d.popitem()
result = d.get('b')
""",
    ),
    "the classes that derive from one": (
        "PD307",
        r"""
class A: pass
class B(A): pass
result = [c.__name__ for c in A.__subclasses__()]
""",
    ),
    "a template of texts": (
        "PD306",
        r"""
from string import Template
result = Template('$a').substitute(a=1)
""",
    ),
    "a text formatted by a dict": (
        "PD307",
        r"""
result = '{a}'.format_map({'a': 1})
""",
    ),
    "a namespace": (
        "PD306",
        r"""
from types import SimpleNamespace
result = SimpleNamespace(a=1).a
""",
    ),
    "whether a library's value is three dots": (
        "PD306",
        r"""
from elsewhere import DEFAULT
result = DEFAULT is ...
""",
    ),
    "whether a library's constant is true": (
        "PD306",
        r"""
from elsewhere import HAS_PARTS
result = "parts" if HAS_PARTS else "whole"
""",
    ),
    "truth of NotImplemented": (
        "PD305",
        r"""
result = bool(NotImplemented)
""",
    ),
    "equality left to the other operand under a condition": (
        "PD301",
        r"""
import os
class A:
    def __eq__(self, other):
        return NotImplemented if os.environ.get("X") else True
class B:
    seen = 0
    def __eq__(self, other):
        B.seen = 1
        return True
A() == B()
result = B.seen
""",
    ),
    "equality that a dataclass generates, above it another": (
        "PD307",
        r"""
from dataclasses import dataclass
class B:
    def __eq__(self, other):
        return True
@dataclass
class D(B):
    x: int
result = D(1) == D(2)
""",
    ),
    "truth of an object of a class that derives from a library's": (
        "PD306",
        r"""
from collections import UserDict
class R(UserDict):
    def __init__(self):
        self.data = {}
result = bool(R())
""",
    ),
    "equality of an object of a class that derives from a library's": (
        "PD306",
        r"""
from collections import UserDict
class R(UserDict):
    def __init__(self):
        self.data = {}
result = R() == {}
""",
    ),
    "equality of a text of a class of the program": (
        "PD307",
        r"""
class S(str):
    pass
result = S("a") == "a"
""",
    ),
    "key that is a text of a class of the program": (
        "PD307",
        r"""
class S(str):
    pass
result = S("a") in {"a": 1}
""",
    ),
    "count of an object that does not equal itself": (
        "PD304",
        r"""
n = float("nan")
m = n
result = [n].count(m)
""",
    ),
    "operator of one of two objects": (
        "PD301",
        r"""
import os
class R:
    def __init__(self):
        self.items = []
    def __lshift__(self, other):
        self.items.append(other)
a, b = R(), R()
(a if os.environ.get("X") else b) << 1
result = a.items
""",
    ),
    "augmented assignment of one of two objects": (
        "PD301",
        r"""
import os
class R:
    def __init__(self):
        self.items = []
    def __iadd__(self, other):
        self.items.append(other)
        return self
a, b = R(), R()
r = a if os.environ.get("X") else b
r += 1
result = a.items
""",
    ),
    "operator of an object that is not known": (
        "PD304",
        r"""
import random
class R:
    def __init__(self):
        self.items = []
    def __lshift__(self, other):
        self.items.append(other)
a, b = R(), R()
random.choice([a, b]) << 1
result = a.items
""",
    ),
    "unary operator of one of two objects": (
        "PD301",
        r"""
import os
class R:
    seen = 0
    def __neg__(self):
        self.seen += 1
a, b = R(), R()
-(a if os.environ.get("X") else b)
result = a.seen
""",
    ),
    "operator of an unknown value and an object that it may leave it to": (
        "PD301",
        r"""
import os
class R:
    seen = 0
    def __radd__(self, other):
        self.seen += 1
a = R()
os.environ.get("X") + a
result = a.seen
""",
    ),
    "operator that no class answers": (
        "PD307",
        r"""
class R:
    def __add__(self, other):
        return NotImplemented
    def __radd__(self, other):
        return "reflected"
try:
    result = R() + R()
except TypeError:
    result = "TypeError"
""",
    ),
    "item deleted from one of two objects": (
        "PD310",
        r"""
import os
class R:
    def __init__(self):
        self.items = []
    def __delitem__(self, key):
        self.items.append(key)
a, b = R(), R()
r = a if os.environ.get("X") else b
del r[1]
result = a.items
""",
    ),
    "item set in one of two objects": (
        "PD310",
        r"""
import os
class R:
    def __init__(self):
        self.items = []
    def __setitem__(self, key, value):
        self.items.append(key)
a, b = R(), R()
r = a if os.environ.get("X") else b
r[1] = 2
result = a.items
""",
    ),
    "tuple of unknown length augmented": (
        "PD301",
        r"""
import os
t = s = tuple(os.environ)
t += ("x",)
result = "x" in s
""",
    ),
    "finally before a return under a condition": (
        "PD301",
        r"""
import os
log = []
def f():
    try:
        if os.environ.get("X"):
            return
    finally:
        log.append(1)
    log.clear()
f()
result = log
""",
    ),
    "manager left by a return under a condition": (
        "PD301",
        r"""
import os
log = []
class M:
    def __enter__(self): return self
    def __exit__(self, *details): log.append(1)
def f():
    with M():
        if os.environ.get("X"):
            return
    log.clear()
f()
result = log
""",
    ),
    "setter under a condition": (
        "PD301",
        r"""
import os
log = []
class A:
    @property
    def p(self): return 1
    if os.environ.get("X"):
        @p.setter
        def p(self, value): log.append(value)
try:
    A().p = 3
except AttributeError:
    log.append("no")
result = log
""",
    ),
    "attribute deleted from one of two objects": (
        "PD301",
        r"""
import os
class A: pass
a, b = A(), A()
a.x = b.x = 1
c = a if os.environ.get("X") else b
del c.x
result = hasattr(a, "x")
""",
    ),
    "attribute deleted from an object that is not known": (
        "PD310",
        r"""
import random
class A: pass
a, b = A(), A()
a.x = b.x = 1
c = random.choice([a, b])
del c.x
result = hasattr(a, "x")
""",
    ),
    "attribute set by a property of one of two objects": (
        "PD301",
        r"""
import os
log = []
class A:
    p = property(lambda self: 1, lambda self, value: log.append(value))
class B: pass
c = A() if os.environ.get("X") else B()
c.p = 1
result = log
""",
    ),
    "special method under a condition": (
        "PD301",
        r"""
import os
class A:
    if os.environ.get("X"):
        def __len__(self): return 0
result = bool(A())
""",
    ),
    "special method under a condition, called for what it does": (
        "PD301",
        r"""
import os
log = []
class A:
    if os.environ.get("X"):
        def __init_subclass__(cls): log.append(1)
        def __lshift__(self, other): log.append(2)
class B(A): pass
try:
    B() << 1
except TypeError:
    pass
result = log
""",
    ),
    "attribute set by a method under a condition": (
        "PD301",
        r"""
import os
class A:
    if os.environ.get("X"):
        def __setattr__(self, name, value): pass
a = A()
a.x = 1
result = hasattr(a, "x")
""",
    ),
    "truth of a class with a metaclass": (
        "PD307",
        r"""
class Meta(type):
    def __bool__(cls): return False
class A(metaclass=Meta): pass
result = bool(A)
""",
    ),
    "equality of a class with a metaclass": (
        "PD307",
        r"""
class Meta(type):
    def __eq__(cls, other): return True
    def __hash__(cls): return 1
class A(metaclass=Meta): pass
result = A == int
""",
    ),
    "instance of a class with a metaclass": (
        "PD307",
        r"""
class Meta(type):
    def __instancecheck__(cls, other): return True
class A(metaclass=Meta): pass
result = isinstance(3, A)
""",
    ),
    "metaclass under a condition": (
        "PD301",
        r"""
import os
TOOLS = []
class Meta(type):
    def __init__(cls, name, bases, names):
        TOOLS.append(name)
class A(metaclass=Meta if os.environ.get("X") else type): pass
result = TOOLS
""",
    ),
    "metaclass that is called": (
        "PD307",
        r"""
TOOLS = []
class Meta(type):
    def __new__(meta, name, bases, names):
        return super().__new__(meta, name, bases, names)
    def __init__(cls, name, bases, names):
        TOOLS.append(name)
Meta("X", (), {})
result = TOOLS
""",
    ),
    "one of several handlers": (
        "PD301",
        r"""
import os
mode = "a"
try:
    int(os.environ["X"])
except KeyError:
    mode = "a"
except ValueError:
    mode = "b"
result = mode
""",
    ),
    "exception under a condition that no handler catches": (
        "PD301",
        r"""
import os
def f():
    try:
        if os.environ.get("X"):
            raise ValueError
    except KeyError:
        pass
    return 1
try:
    result = f()
except ValueError:
    result = 2
""",
    ),
    "augmented assignment that may raise": (
        "PD307",
        r"""
class A: pass
log = []
try:
    a = A()
    a **= 2
except TypeError:
    log.append("TypeError")
result = log
""",
    ),
    "subscript of a class that may raise": (
        "PD307",
        r"""
class A: pass
log = []
try:
    A["x"]
except TypeError:
    log.append("TypeError")
result = log
""",
    ),
    "parts of a group of exceptions": (
        "PD307",
        r"""
log = []
try:
    raise ExceptionGroup("several", [ValueError(1), KeyError(2)])
except* ValueError:
    log.append(1)
except* KeyError:
    log.append(2)
result = log
""",
    ),
}
