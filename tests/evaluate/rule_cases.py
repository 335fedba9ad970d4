# ruff: noqa: E501, W291 - the programs are as people write them
"""The rules of Python that a reader of source easily gets wrong: programs, and whether their result is known."""

from __future__ import annotations

KNOWN = {
    "formats that containers and objects refuse": r"""
class A:
    def __str__(self): return "a"
class B(A):
    def __format__(self, how): return f"<{how}>"
result = []
for value in ([1], (1,), {"a": 1}, None, A(), B(), "a", 1.5):
    try:
        result.append(f"{value:>5}")
    except TypeError:
        result.append("refused")
""",
    "numbers too large for a format": r"""
result = []
for template, value in (("%d", float("inf")), ("%c", -5), ("%c", 10**20)):
    try:
        result.append(template % value)
    except OverflowError:
        result.append("too large")
try:
    result.append(f"{-5:c}")
except OverflowError:
    result.append("too large")
""",
    "slices with a step are deleted": r"""
result = [1, 2, 3, 4, 5]
del result[::2]
result += [6, 7]
del result[::-3]
""",
    "a set takes only sets in place": r"""
s = {1}
try:
    s |= [2]
    result = 0
except TypeError:
    s |= {3}
    result = sorted(s)
""",
    "attributes that a dataclass refuses": r"""
from dataclasses import dataclass
@dataclass(frozen=True)
class A:
    a: int = 1
class B(A): pass
@dataclass(slots=True)
class C:
    c: int = 1
result = []
for made, name in ((A(), "z"), (B(), "a"), (B(), "z"), (C(), "c"), (C(), "z")):
    try:
        setattr(made, name, 5)
        result.append(getattr(made, name))
    except AttributeError:
        result.append("refused")
""",
    "the parameters of a signature are read-only": r"""
import inspect
def f(a: int, b: str = "x"): pass
signature = inspect.signature(f)
try:
    signature.parameters["c"] = 1
    result = []
except TypeError:
    result = [list(signature.parameters), "a" in signature.parameters, signature.parameters["b"].default]
copied = signature.parameters.copy()
copied.pop("a")
given = signature.replace(parameters=list(copied.values()))
result += [len(given.parameters), [*given.parameters], isinstance(given.parameters, dict)]
""",
    "a method of one of two kinds": r"""
import os
class K:
    if os.environ.get("E"):
        def f(self, n): return n + self.one
    else:
        def f(self, n): return n + self.one
    one = 1
result = isinstance(K().f(2), int)
""",
    "a field in a statement": r"""
from dataclasses import dataclass, fields
@dataclass
class D:
    a: int = 1
    if True:
        b: int = 2
result = [[field.name for field in fields(D)], D().b]
""",
    "built-in classes are classes": r"""
import inspect
kinds = (int, float, bool, set, tuple, object, type, frozenset, enumerate, len, print, "a", None)
result = [[inspect.isclass(kind), isinstance(kind, type), inspect.isroutine(kind)] for kind in kinds]
""",
    "built-in functions are no functions of Python": r"""
import inspect
asked = (inspect.isfunction, inspect.ismethod, inspect.iscoroutinefunction, callable)
result = [[ask(function) for ask in asked] for function in (len, float, sorted)]
""",
    "a class or its name": r"""
def named(kind):
    return kind("1") if isinstance(kind, (type, str)) and not isinstance(kind, str) else kind
result = [named(int), named(float), named("int")]
""",
    "what a class has from its metaclass": r"""
class A: pass
result = [hasattr(A, "register"), hasattr(A(), "mro"), hasattr(A(), "args")]
""",
    "library's exception by its library": r"""
import json
from json.decoder import JSONDecodeError
def tried(text, *kinds):
    try:
        return json.loads(text)
    except kinds:
        return "caught"
def named(text):
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return "by the module"
result = [named("{"), tried("{", JSONDecodeError), tried("[1]", KeyError), tried("{", ValueError)]
""",
    "three dots are one object": r"""
from dataclasses import dataclass
@dataclass
class D:
    a: object = ...
UNSET = ...
result = [... is ..., D().a is UNSET, UNSET is not ..., None is UNSET]
""",
    "raw doc one-line": r'''
def f():
    """First."""
result = f.__doc__
''',
    "doc cleandoc": r'''
import inspect
def f():
    """
    First.
      second
    """
result = inspect.getdoc(f)
''',
    "doc dedent": r'''
import textwrap
def f():
    """
    First.
      second
    """
result = textwrap.dedent(f.__doc__)
''',
    "doc splitlines 0": r'''
def f():
    """First.
      second
    """
result = f.__doc__.split("\n")[0]
''',
    "defaultdict json": r"""
from collections import defaultdict
d = defaultdict(list); d['a'].append(1)
result = d
""",
    "mappingproxy isinstance": r"""
from types import MappingProxyType
result = isinstance(MappingProxyType({}), dict)
""",
    "mappingproxy type eq": r"""
from types import MappingProxyType
result = type(MappingProxyType({})) is dict
""",
    "mappingproxy mutate": r"""
from types import MappingProxyType
try:
    MappingProxyType({})['a'] = 1
    result = 1
except TypeError:
    result = 2
""",
    "mappingproxy spread": r"""
from types import MappingProxyType
result = {**MappingProxyType({'a': 1}), 'b': 2}
""",
    "mappingproxy live": r"""
from types import MappingProxyType
d = {'a': 1}
m = MappingProxyType(d)
d['b'] = 2
result = dict(m)
""",
    "coroutine never awaited": r"""
out = []
async def f():
    out.append(1)
f()
result = out
""",
    "coroutine asyncio run": r"""
import asyncio
async def f():
    return 1
result = asyncio.run(f())
""",
    "max set": r"""
result = max({'a','b'})
""",
    "float repr": r"""
result = [str(0.1+0.2), str(1e16), str(1e22), f"{1e100}", repr(-0.0), str(float('inf')), 1e400 == float('inf'), str(1e-5), 0.1+0.2]
""",
    "nan": r"""
result = float('nan') == float('nan')
""",
    "nan in list": r"""
n = float('nan')
result = n in [n]
""",
    "dict mutated iterating value only": r"""
d = {'a': 1, 'b': 2}
for k in d:
    d[k] += 1
result = d
""",
    "dict del while iterating list copy": r"""
d = {'a': 1, 'b': 2}
for k in list(d):
    del d[k]
result = d
""",
    "list removed while iterating": r"""
x = [1, 2, 3, 4]
for e in x:
    x.remove(e)
result = x
""",
    "closures late": r"""
fs = [lambda: i for i in range(3)]
result = [f() for f in fs]
""",
    "closures default": r"""
fs = [lambda i=i: i for i in range(3)]
result = [f() for f in fs]
""",
    "closures loop": r"""
fs = []
for i in range(3):
    def f(): return i
    fs.append(f)
result = [f() for f in fs]
""",
    "class attr mutation through instance": r"""
class A:
    xs = []
    n = 0
a = A(); b = A()
a.xs.append(1); a.n += 1
result = [b.xs, A.n, a.n, b.n]
""",
    "default mutation": r"""
def f(x, acc=[]):
    acc.append(x); return acc
f(1)
result = f(2)
""",
    "default kw-only mutation": r"""
def f(x, *, acc={}):
    acc[x] = 1; return acc
f('a')
result = f('b')
""",
    "generator exhaustion": r"""
g = (x for x in [1, 2])
a = list(g); b = list(g)
result = [a, b]
""",
    "map exhaustion": r"""
m = map(str, [1, 2])
a = list(m)
result = [a, list(m)]
""",
    "zip exhausted partly": r"""
z = zip([1, 2, 3], 'abc')
next(z)
result = [list(p) for p in z]
""",
    "shadowed str": r"""
str = lambda x: 'mine'
result = str(1)
""",
    "shadowed len later": r"""
def f(): return len([1])
len = lambda x: 99
result = f()
""",
    "shadowed in function": r"""
def f(list): return list
result = f([3])
""",
    "conditional import": r"""
try:
    import json as j
except ImportError:
    j = None
result = j is None
""",
    "walrus": r"""
if (n := len('abc')) > 2:
    result = n
""",
    "walrus comp leak": r"""
x = [y := 1, y + 1]
z = [last := i for i in range(4)]
result = [x, last]
""",
    "match": r"""
def f(v):
    match v:
        case 'x' as s: return ['s', s]
        case None: return 'none'
        case 1 | 2: return 'num'
        case _: return 'other'
result = [f('x'), f(None), f(2), f(9.5), f(True)]
""",
    "global": r"""
n = 0
def f():
    global n, made
    n += 1
    made = [n]
f(); f()
result = [n, made]
""",
    "try/finally": r"""
log = []
def f():
    try:
        return 'try'
    finally:
        log.append('fin')
def g():
    for i in range(3):
        try:
            continue
        finally:
            if i == 1: break
    return i
def h():
    try:
        return 1
    finally:
        return 2
result = [f(), log, g(), h()]
""",
    "return value computed before finally": r"""
def f():
    x = [1]
    try:
        return x
    finally:
        x.append(2)
def g():
    n = 1
    try:
        return n
    finally:
        n = 2
result = [f(), g()]
""",
    "nonlocal": r"""
def mk():
    n = 0
    def inc():
        nonlocal n
        n += 1
        return n
    return inc
i = mk(); i()
result = i()
""",
    "init_subclass": r"""
R = {}
class B:
    def __init_subclass__(cls, /, name=None, **kw):
        super().__init_subclass__(**kw)
        R[name or cls.__name__] = cls.__doc__
class X(B, name='ex'):
    "X doc"
class Y(X): pass
result = R
""",
    "metaclass registers": r"""
R = []
class M(type):
    def __new__(mcls, name, bases, ns):
        c = super().__new__(mcls, name, bases, ns)
        R.append(name)
        return c
class A(metaclass=M): pass
class B(A): pass
result = R
""",
    "metaclass init": r"""
class M(type):
    registry = {}
    def __init__(cls, name, bases, ns):
        super().__init__(name, bases, ns)
        cls.registry[name] = ns.get('tag')
class A(metaclass=M): tag = 'a'
class B(A): tag = 'b'
result = M.registry
""",
    "metaclass attribute": r"""
class M(type):
    color = 'red'
class A(metaclass=M): pass
result = A.color
""",
    "metaclass call": r"""
class M(type):
    def __call__(cls, *a): return 'called'
class A(metaclass=M): pass
result = A()
""",
    "descriptor": r"""
class D:
    def __set_name__(self, o, n): self.n = n
    def __get__(self, i, o): return 'got ' + self.n
class C:
    field = D()
result = [C.field, C().field]
""",
    "data descriptor": r"""
class D:
    def __set_name__(self, o, n): self.n = '_' + n
    def __get__(self, i, o=None): return i.__dict__.get(self.n, 'unset') if i else self
    def __set__(self, i, v): i.__dict__[self.n] = v * 2
class C:
    x = D()
c = C(); a = c.x; c.x = 4
result = [a, c.x]
""",
    "non-data descriptor shadowed": r"""
class D:
    def __get__(self, i, o): return 'd'
class C:
    x = D()
c = C(); c.x = 'inst'
result = c.x
""",
    "bool int keys": r"""
d = {True: 'a', 1: 'b', 1.0: 'c'}
result = [len(d), d[1], [str(k) for k in d]]
""",
    "chained comparison": r"""
f = lambda x: 1 < x < 3
result = [f(2), f(3)]
""",
    "class scope": r"""
x = 'g'
class C:
    x = 'c'
    ys = [x for _ in range(1)]
    def f(self): return x
result = [C.ys, C().f()]
""",
    "private mangling": r"""
class A:
    def __init__(self): self.__x = 1
    def get(self): return self.__x
class B(A):
    def __init__(self):
        super().__init__(); self.__x = 2
b = B()
result = [b.get(), sorted(vars(b))]
""",
    "integer division / round": r"""
result = [round(0.5), round(1.5), round(2.675, 2), -7 % 3, divmod(-7, 2)[0], int(-3.7), 7 // -2]
""",
    "format mini": r"""
result = [f"{1234567.891:,.2f}", f"{255:#x}", f"{'a':^5}", f"{True:d}", f"{3:03d}", f"{1e6:g}", "{:>{w}}".format('a', w=4), "{0}{0}".format({'a': 1}), f"{'x'!r:>5}", f"{5=}"]
""",
    "percent": r"""
result = ["%d%%" % 5, "%s" % (1,), "%s" % [1, 2], "%(a)s" % {'a': None}, "%5.2f|" % 3.14159, "%r" % 'a', "%x" % 255]
""",
    "a manager for with and async with": r"""
import asyncio
out = []
class M:
    def __enter__(self): out.append('enter'); return 1
    def __exit__(self, *details): out.append('exit')
    async def __aenter__(self): out.append('aenter'); return 2
    async def __aexit__(self, *details): out.append('aexit'); return True
async def main():
    with M() as one:
        out.append(one)
    async with M() as two:
        out.append(two)
        raise ValueError
asyncio.run(main())
result = out
""",
    "never awaited append helper": r"""
import asyncio
out = []
async def add(n): out.append(n)
async def main():
    add(1)
    await add(2)
asyncio.run(main())
result = out
""",
    "coroutine stored then awaited later": r"""
import asyncio
out = []
async def add(n): out.append(n)
async def main():
    c = add(1)
    out.append(0)
    await c
asyncio.run(main())
result = out
""",
    "gather": r"""
import asyncio
async def f(n): return n * 2
async def main(): return await asyncio.gather(*(f(i) for i in range(3)))
result = asyncio.run(main())
""",
    "bool of coroutine": r"""
async def f(): return False
result = 'yes' if f() else 'no'
""",
    "isinstance of coroutine result": r"""
async def f(): return [1]
c = f()
result = isinstance(c, list)
c.close()
""",
    "iscoroutine": r"""
import inspect
async def f(): return 1
result = inspect.iscoroutinefunction(f)
""",
    "OrderedDict eq": r"""
from collections import OrderedDict
result = [OrderedDict(a=1, b=2) == OrderedDict(b=2, a=1), OrderedDict(a=1, b=2) == {'b': 2, 'a': 1}]
""",
    "isinstance and type of a named tuple": r"""
from typing import NamedTuple
class P(NamedTuple):
    x: int
class Other(NamedTuple):
    x: int
p = P(1)
result = [isinstance(p, P), isinstance(p, Other), isinstance(p, tuple), isinstance(p, (list, P)), type(p) is P, type(p) is tuple, type(p).__name__, p.__class__ is P, type((1,)) is tuple]
""",
    "isinstance of a generator": r"""
from collections.abc import Iterable, Sequence
g = (x for x in [1])
result = [isinstance(g, Sequence), isinstance(g, Iterable), isinstance(g, list), isinstance((1,), Sequence)]
""",
    "type of an instance of a dict class": r"""
class D(dict):
    pass
result = [type(D()) is D, type(D()) is dict, type(D()).__name__, isinstance(D(), (list, dict)), D().__class__ is D]
""",
    "OrderedDict isinstance dict": r"""
from collections import OrderedDict
result = [isinstance(OrderedDict(), dict), type(OrderedDict()) is dict, type({}) is OrderedDict, isinstance({}, OrderedDict)]
""",
    "OrderedDict type name": r"""
from collections import OrderedDict
result = type(OrderedDict()).__name__
""",
    "defaultdict get no insert": r"""
from collections import defaultdict
d = defaultdict(int); d.get('a'); d['b'] += 1
result = d
""",
    "defaultdict copy": r"""
from collections import defaultdict
d = defaultdict(list).copy(); d['x'].append(1)
result = d
""",
    "defaultdict or": r"""
from collections import defaultdict
d = defaultdict(list) | {'a': [1]}
d['z'].append(1)
result = d
""",
    "dict of defaultdict": r"""
from collections import defaultdict
d = dict(defaultdict(list))
try:
    d['x']
    result = 1
except KeyError: result = 2
""",
    "defaultdict in copy": r"""
import copy
from collections import defaultdict
d = copy.deepcopy(defaultdict(list)); d['x'].append(1)
result = d
""",
    "defaultdict missing via unpack": r"""
from collections import defaultdict
d = {**defaultdict(list)}
try:
    d['x']
    result = 1
except KeyError: result = 2
""",
    "dataclass classvar + kw_only + inheritance": r"""
from dataclasses import dataclass, field, KW_ONLY, asdict
from typing import ClassVar
@dataclass
class A:
    a: int
    c: ClassVar[int] = 9
    _: KW_ONLY
    k: int = 1
@dataclass
class B(A):
    b: int = 2
result = [asdict(B(1, 3, k=4)), asdict(B(1))]
""",
    "dataclass without annotation": r"""
from dataclasses import dataclass
@dataclass
class A:
    x = 5
    y: int = 6
result = [A().x, A(7).y]
""",
    "dataclass slots default mutable": r"""
from dataclasses import dataclass, field
@dataclass
class A:
    xs: list = field(default_factory=lambda: ['a'])
a = A(); a.xs.append('b')
result = [A().xs, a.xs]
""",
    "str enum format": r"""
from enum import Enum
class E(str, Enum):
    A = 'a'
result = [E.A.value, E.A == 'a', E('a').name, [e.value for e in E], E.A.upper(), E.A + 'x', 'x'.join([E.A])]
""",
    "enum aliases": r"""
from enum import Enum
class E(Enum):
    A = 1
    B = 1
    C = 2
result = [[e.name for e in E], list(E.__members__), E.B.name]
""",
    "enum auto": r"""
from enum import Enum, auto, IntEnum, StrEnum
class E(Enum):
    A = auto()
    B = 5
    C = auto()
class S(StrEnum):
    FooBar = auto()
result = [[e.value for e in E], S.FooBar, str(S.FooBar), f"{S.FooBar}"]
""",
    "enum with methods and class attr": r"""
from enum import Enum
class E(str, Enum):
    A = 'a'
    B = 'b'
    @classmethod
    def values(cls): return [m.value for m in cls]
    def __str__(self): return self.value
result = [E.values(), str(E.A), f"{E.A}", "%s" % E.A]
""",
    "enum ignore / nonmember / private": r"""
from enum import Enum
class E(Enum):
    _x = 1
    A = 'a'
    def f(self): return 1
    g = lambda self: 2
result = [m.name for m in E]
""",
    "enum unique + dict": r"""
from enum import Enum, unique
@unique
class E(Enum):
    A = 'a'
    B = 'b'
D = {E.A: 'first', E.B: 'second'}
result = [D[E('b')], E.A in D, E.A in list(E), E.A is E('a')]
""",
    "enum hash str key": r"""
from enum import Enum
class E(str, Enum):
    A = 'a'
D = {E.A: 1}
result = [D['a'], list(D), str(list(D)[0] == 'a')]
""",
    "json dumps str enum": r"""
import json
from enum import Enum
class E(str, Enum):
    A = 'a'
result = json.dumps({E.A: E.A})
""",
    "sort stability, key": r"""
xs = [('b', 1), ('a', 1), ('c', 0)]
result = [sorted(xs, key=lambda t: t[1]), sorted(xs, key=lambda t: (-t[1], t[0])), max(xs, key=lambda t: t[1])]
""",
    "sort reverse stable": r"""
xs = [('b', 1), ('a', 1), ('c', 0)]
result = sorted(xs, key=lambda t: t[1], reverse=True)
""",
    "sort mixed error": r"""
try:
    result = sorted([1, 'a'])
except TypeError: result = 'te'
""",
    "list mul alias": r"""
x = [[]] * 3
x[0].append(1)
result = x
""",
    "dict.fromkeys alias": r"""
d = dict.fromkeys('ab', [])
d['a'].append(1)
result = d
""",
    "+= list alias": r"""
a = [1]; b = a
a += [2]
a = a + [3]
result = [a, b]
""",
    "tuple +=": r"""
t = ([],)
try:
    t[0] += [1]
except TypeError: pass
result = t
""",
    "slice assign": r"""
x = [1, 2, 3, 4]
x[1:3] = ['a']
x[:0] = [0]
del x[-1]
x[::2] = [9, 9]
result = x
""",
    "unpack": r"""
a, *b, c = [1, 2, 3, 4]
(d, e), f = (1, 2), 3
[g, h] = 'xy'
result = [a, b, c, d, e, f, g, h]
""",
    "swap": r"""
a, b = 1, 2
a, b = b, a
x = [1, 2]; i = 0
i, x[i] = 1, 9
result = [a, b, i, x]
""",
    "eval order kwargs": r"""
log = []
def n(x):
    log.append(x); return x
def f(*a, **k): return k
f(n(1), *[n(2)], k=n(3), **{'z': n(4)})
d = {n('k'): n('v')}
result = log
""",
    "decorators order": r"""
def d(x):
    def w(f):
        f.tags = getattr(f, 'tags', []) + [x]
        return f
    return w
@d(1)
@d(2)
def f(): pass
result = f.tags
""",
    "class decorator": r"""
R = {}
def reg(name):
    def w(c):
        R[name] = c; c.tag = name
        return c
    return w
@reg('a')
class A: "doc"
result = [R['a'].tag, A.__doc__, A.__name__, list(R)]
""",
    "lru_cache keeps identity": r"""
from functools import lru_cache
@lru_cache
def f(): return []
f().append(1)
result = f()
""",
    "cached_property": r"""
from functools import cached_property
class A:
    n = 0
    @cached_property
    def x(self):
        A.n += 1
        return [A.n]
a = A(); a.x.append(5)
result = [a.x, A.n]
""",
    "cache side effect once": r"""
from functools import cache
log = []
@cache
def f(n):
    log.append(n); return n
f(1); f(1); f(2)
result = log
""",
    "lambda default + map": r"""
result = list(map(lambda x, y: x + y, [1, 2], [10, 20, 30]))
""",
    "filter None, reversed, enumerate": r"""
result = [list(filter(None, [0, 1, '', 'a'])), list(reversed([1, 2])), list(enumerate('ab', 5))]
""",
    "string % dict / tuple / nested": r"""
result = "%(a)s %(b)d" % {'a': 'x', 'b': 3} + "%s %s" % ('p', [1])
""",
    "f-string nested/format spec": r"""
w = 5
d = {'k': 3.14159}
result = f"{d['k']:{w}.{2}f}|{'a' if w else 'b'}|{w!r}|{{}}|{w=}|{[x for x in range(2)]}|{(lambda: 1)()}"
""",
    "f-string of list/dict/None/bool/class": r"""
class C: pass
result = f"{[1,'a']} {None} {True} {{'a': 1}} { {'a': 1} } {(1,)}"
""",
    "property override, super property": r"""
class A:
    @property
    def d(self): return {'a': 1}
class B(A):
    @property
    def d(self): return {**super().d, 'b': 2}
result = B().d
""",
    "classmethod alternative constructor + inheritance": r"""
class A:
    kind = 'a'
    @classmethod
    def make(cls): return cls()
    @staticmethod
    def s(x): return x
    def who(self): return self.kind
class B(A): kind = 'b'
result = [B.make().who(), B.s(4), A.make().kind]
""",
    "mro diamond": r"""
class A:
    def f(self): return ['A']
class B(A):
    def f(self): return ['B'] + super().f()
class C(A):
    def f(self): return ['C'] + super().f()
class D(B, C):
    def f(self): return ['D'] + super().f()
result = D().f()
""",
    "abstract": r"""
from abc import ABC, abstractmethod
class A(ABC):
    @abstractmethod
    def f(self): ...
class B(A):
    def f(self): return 1
try:
    A(); r = 'made'
except TypeError: r = 'te'
result = [r, B().f()]
""",
    "__dict__ update": r"""
class A: pass
a = A()
a.__dict__.update(x=1)
a.__dict__['y'] = 2
result = [a.x, a.y]
""",
    "setattr on class / monkeypatch method": r"""
class A:
    def f(self): return 1
A.f = lambda self: 2
result = A().f()
""",
    "instance method override": r"""
class A:
    def f(self): return 1
a = A(); a.f = lambda: 3
result = a.f()
""",
    "__getattr__ , __getattribute__": r"""
class A:
    x = 1
    def __getattr__(self, n): return 'dyn ' + n
a = A()
result = [a.x, a.foo, getattr(a, 'bar')]
""",
    "__setattr__": r"""
class A:
    def __setattr__(self, n, v): object.__setattr__(self, n, v * 2)
a = A(); a.x = 2
result = a.x
""",
    "__len__ truth": r"""
class A:
    def __len__(self): return 0
result = 'y' if A() else 'n'
""",
    "__bool__": r"""
class A:
    def __bool__(self): return False
result = [1 if A() else 2, not A(), bool(A())]
""",
    "hash collision: dict instance key eq default": r"""
class A: pass
a, b = A(), A()
d = {a: 1, b: 2}
result = [d[a], len(d)]
""",
    "__all__ and exec order": r"""
if True:
    def f(): return 'one'
def f(): return 'two'
result = f()
""",
    "star-args defaults order": r"""
def f(a, b=2, *args, c, d=4, **kw): return [a, b, list(args), c, d, kw]
result = [f(1, c=3), f(1, 2, 3, 4, c=5, e=6)]
""",
    "pos only": r"""
def f(a, /, b, **kw): return [a, b, kw]
result = f(1, b=2, a=3)
""",
    "while else / nested break": r"""
r = []
for i in range(3):
    for j in range(3):
        if j == 1: break
        r.append([i, j])
    else:
        r.append('else')
while False: pass
else: r.append('we')
result = r
""",
    "del in dict and list, pop default": r"""
d = {'a': 1, 'b': 2}
del d['a']
x = d.pop('zz', None)
result = [d, x]
""",
    "dict ordering after reassign/del": r"""
d = {'a': 1, 'b': 2}
d['a'] = 3
del d['a']; d['a'] = 4
result = list(d)
""",
    "dict | ordering": r"""
result = list(({'a': 1, 'b': 2} | {'b': 3, 'c': 1, 'a': 0}).items())
""",
    "nested comprehension scope": r"""
fs = [lambda: x for x in range(3)]
result = [f() for f in fs] + [[i * j for j in range(2)] for i in range(2)]
""",
    "conditional expression and or": r"""
result = [None or 'a', 0 or [], '' and 1, 'a' and 'b', not None, 1 if [] else 2, None is None, [] is []]
""",
    "bytes": r"""
result = [b'abc'.decode(), 'é'.encode('utf-8').hex(), list(b'ab'), b'a' + b'b' == b'ab', str(b'x')]
""",
    "text methods 2": r"""
result = ['a b'.title(), 'aB'.swapcase(), 'x'.center(5, '*'), 'a,b'.split(',', 1), 'abc'.translate(str.maketrans('a', 'z')), 'a\tb'.expandtabs(4), 'abc'.rfind('c'), 'aXbX'.rpartition('X'), 'abc'.isidentifier(), 'fooBar'.casefold(), '%'.join('abc'), 'a'.encode().decode()]
""",
    "re": r"""
import re
result = [re.sub(r'(?<!^)(?=[A-Z])', '_', 'FooBarBaz').lower(), re.findall(r'\w+', 'a b'), re.split(r'[,;]', 'a,b;c'), bool(re.match('a', 'b')), re.sub(r'\s+', ' ', 'a  \n b')]
""",
    "inspect cleandoc empty first": r"""
import inspect
result = inspect.cleandoc('\n   a\n     b\n   \n')
""",
    "loop.run_until_complete": r"""
import asyncio
T = []
async def reg(): T.append(1)
asyncio.new_event_loop().run_until_complete(reg())
result = T
""",
    "asyncio.wait_for": r"""
import asyncio
T = []
async def reg(): T.append(1); return 5
async def main(): return await asyncio.wait_for(reg(), 1)
x = asyncio.run(main())
result = [T, x]
""",
    "asyncio.sleep then": r"""
import asyncio
T = []
async def reg(x):
    await asyncio.sleep(0); T.append(x)
async def main():
    await reg(1); T.append(2)
asyncio.run(main())
result = T
""",
    "async list comp / async gen": r"""
import asyncio
async def g():
    for i in range(3): yield i
async def main(): return [x async for x in g()] + [await f(1)]
async def f(x): return x * 10
result = asyncio.run(main())
""",
    "sorted by __lt__": r"""
class A:
    def __init__(s, x): s.x = x
    def __lt__(s, o): return s.x > o.x
result = [a.x for a in sorted([A(1), A(3), A(2)])]
""",
    "min with __lt__": r"""
class A:
    def __init__(s, x): s.x = x
    def __lt__(s, o): return s.x < o.x
result = min([A(3), A(1)]).x
""",
    "str enum sort": r"""
from enum import Enum
class E(str, Enum):
    B = 'b'
    A = 'a'
result = [e.value for e in sorted(E)]
""",
    "unused generator": r"""
T = []
def g():
    T.append(1); yield 1
g()
result = T
""",
    "dict(zip) unpack of gen": r"""
T = []
def g():
    T.append('a'); yield 1
    T.append('b'); yield 2
a, b = g()
result = [T, a, b]
""",
    "map unconsumed": r"""
T = []
map(T.append, [1, 2])
result = T
""",
    "generator expression late binding of outer": r"""
n = 1
g = (x * n for x in [1, 2])
n = 10
result = list(g)
""",
    "generator first iterable evaluated now": r"""
xs = [1, 2]
g = (x for x in xs)
xs = [9]
result = list(g)
""",
    "vars()[..] =": r"""
vars()['q'] = 3
result = q
""",
    "for name in loop define functions in globals": r"""
for n in ['f1', 'f2']:
    globals()[n] = n.upper()
result = f2
""",
    "type(self).__name__": r"""
class A:
    def n(self): return type(self).__name__ + self.__class__.__name__
class B(A): pass
result = B().n()
""",
    "class var shadow instance": r"""
class A:
    name = 'cls'
    def __init__(self, n=None):
        if n: self.name = n
result = [A().name, A('x').name, A.name]
""",
    "class body loop": r"""
class A:
    items = []
    for i in range(3):
        items.append(i)
    del i
result = [A.items, hasattr(A, 'i')]
""",
    "nested class": r"""
class A:
    class Meta:
        name = 'm'
    def f(self): return self.Meta.name
result = A().f()
""",
    "class kwarg init_subclass with default": r"""
class P:
    registry = []
    def __init_subclass__(cls, register=True, **kw):
        if register: P.registry.append(cls.__name__)
class A(P): pass
class B(P, register=False): pass
class C(A): pass
result = P.registry
""",
    "init_subclass via super chain": r"""
L = []
class P:
    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw); L.append('P' + cls.__name__)
class Q(P):
    def __init_subclass__(cls, **kw):
        L.append('Q'); super().__init_subclass__(**kw)
class R(Q): pass
result = L
""",
    "set_name only": r"""
L = []
class D:
    def __set_name__(self, owner, name): L.append([owner.__name__, name])
class C:
    a = D()
    b = D()
result = L
""",
    "new singleton": r"""
class S:
    _i = None
    def __new__(cls, *a):
        if cls._i is None: cls._i = super().__new__(cls)
        return cls._i
    def __init__(self, x=0): self.x = x
a = S(1); b = S(2)
result = [a is b, a.x]
""",
    "metaclass singleton": r"""
class M(type):
    _i = {}
    def __call__(cls, *a, **k):
        if cls not in cls._i: cls._i[cls] = super().__call__(*a, **k)
        return cls._i[cls]
class S(metaclass=M):
    def __init__(self): self.xs = []
S().xs.append(1); S().xs.append(2)
result = S().xs
""",
    "dataclass default factory shared class attr": r"""
from dataclasses import dataclass, field
@dataclass
class T:
    name: str
    params: dict = field(default_factory=dict)
    tags: list = field(default_factory=list)
a, b = T('a'), T('b')
a.params['x'] = 1
result = [a.params, b.params, a.tags is b.tags]
""",
    "dataclass inheritance override default": r"""
from dataclasses import dataclass, asdict, replace, fields
@dataclass
class A:
    n: str
    d: str = 'd'
@dataclass
class B(A):
    d: str = 'b'
    e: int = 0
result = [asdict(B('x')), asdict(replace(B('x'), e=5)), [f.name for f in fields(B)]]
""",
    "asdict with enum / nested list": r"""
from dataclasses import dataclass, asdict
@dataclass
class P:
    n: str
@dataclass
class A:
    ps: list
    m: dict
result = asdict(A([P('a')], {'k': P('b')}))
""",
    "pydantic default mutable copied": r"""
from pydantic import BaseModel
class A(BaseModel):
    xs: list = []
a = A(); a.xs.append(1)
result = A().xs
""",
    "pydantic post init": r"""
from pydantic import BaseModel
class A(BaseModel):
    x: str
    def model_post_init(self, ctx): self.x += '!'
result = A(x='a').x
""",
    "ClassVar in pydantic": r"""
from pydantic import BaseModel
from typing import ClassVar
class A(BaseModel):
    name: ClassVar[str] = 'n'
    x: int = 1
result = [A.name, A().x]
""",
    "textwrap + splitlines + strip chain": r'''
import textwrap
result = "\n".join(l.rstrip() for l in textwrap.dedent("""\
    a  
      b
    """).splitlines() if l.strip())
''',
    "lambda closure in comprehension dict": r"""
D = {n: (lambda: n) for n in 'ab'}
result = [f() for f in D.values()]
""",
    "late global": r"""
def f(): return LATE
LATE = 3
result = f()
""",
    "default arg captured early": r"""
X = 1
def f(x=X): return x
X = 2
result = f()
""",
    "class attr captured": r"""
class A:
    X = 1
    Y = X + 1
    def f(self, z=X): return z
A.X = 5
result = [A.Y, A().f()]
""",
    "recursion closure": r"""
def walk(s):
    if isinstance(s, dict): return {k: walk(v) for k, v in s.items() if k != 'title'}
    if isinstance(s, list): return [walk(v) for v in s]
    return s
result = walk({'title': 'x', 'a': [{'title': 1, 'b': (1, {'title': 2})}]})
""",
    "mutation during recursion": r"""
def strip(s):
    s.pop('title', None)
    for v in s.values():
        if isinstance(v, dict): strip(v)
x = {'title': 1, 'p': {'title': 2, 'q': 3}}
strip(x)
result = x
""",
    "int overflow/bool arithmetic": r"""
result = [True + True, -True, ~False, 5 // -2, -5 % 3, 5.0 // 2, 2 ** -1, 0.1 * 3, 1e3, 10 ** 20, 7 / 2, round(-2.5), 3.0 == 3]
""",
    "swallow": r"""
class S:
    def __enter__(self): return self
    def __exit__(self, t, v, tb): return True
x = 1
with S():
    x = 2
    raise ValueError
    x = 3
result = x
""",
    "no swallow": r"""
class S:
    def __enter__(self): return self
    def __exit__(self, t, v, tb): return False
x = 1
try:
    with S():
        x = 2
        raise ValueError('a')
except ValueError:
    x = 5
result = x
""",
    "suppress other": r"""
from contextlib import suppress
try:
    with suppress(KeyError):
        raise ValueError
    result = 1
except ValueError:
    result = 2
""",
    "suppress this": r"""
from contextlib import suppress
x = 1
with suppress(KeyError, ValueError):
    x = 2
    raise ValueError
result = x
""",
    "break leaves iterator": r"""
it = iter([1, 2, 3])
for x in it:
    break
result = list(it)
""",
    "metaclass instances count": r"""
class M(type):
    def __call__(cls, *a):
        o = super().__call__(*a); o.made = True; return o
class A(metaclass=M):
    def __init__(self, x): self.x = x
a = A(3)
result = [a.x, a.made]
""",
    "metaclass property and method": r"""
class M(type):
    @property
    def label(cls): return cls.__name__.lower()
    def describe(cls): return 'd ' + cls.label
class A(metaclass=M): pass
result = [A.label, A.describe()]
""",
    "ns edited by metaclass": r"""
class M(type):
    def __new__(m, n, b, ns):
        ns['added'] = sorted(k for k in ns if not k.startswith('__'))
        return type.__new__(m, n, b, ns)
class A(metaclass=M):
    x = 1
    def f(self): pass
result = A.added
""",
    "set_name and init_subclass order": r"""
L = []
class D:
    def __set_name__(s, o, n): L.append('name ' + n)
class B:
    def __init_subclass__(cls): L.append('sub')
class C(B):
    d = D()
result = L
""",
    "frozen with object setattr": r"""
from dataclasses import dataclass
@dataclass(frozen=True)
class A:
    x: int
    def __post_init__(self): object.__setattr__(self, 'y', self.x * 2)
result = A(2).y
""",
    "vars update": r"""
class A:
    def __init__(self, **kw): self.__dict__.update(kw); vars(self)['z'] = 9
a = A(p=1)
result = [a.p, a.z]
""",
    "dict pop on __dict__": r"""
class A: pass
a = A(); a.x = 1; a.y = 2
a.__dict__.pop('x')
result = [hasattr(a, 'x'), a.y]
""",
    "mangled method call": r"""
class A:
    def __secret(self): return 'A'
    def call(self): return self.__secret()
class B(A):
    def __secret(self): return 'B'
    def both(self): return self.call() + self.__secret()
result = B().both()
""",
    "mangled in nested function and comprehension": r"""
class A:
    __K = 3
    def f(self):
        def g(): return [A.__K for _ in range(2)]
        return g()
result = A().f()
""",
    "getattr mangled": r"""
class A:
    def __init__(self): self.__x = 1
result = getattr(A(), '_A__x')
""",
    "lru_cache method": r"""
from functools import lru_cache
class A:
    n = 0
    @lru_cache()
    def f(self, k):
        A.n += 1
        return [k]
a = A(); a.f(1).append(2)
result = [a.f(1), A().f(1), A.n]
""",
    "cache of kwargs": r"""
from functools import cache
L = []
@cache
def f(a, b=1):
    L.append(a); return a
f(1); f(a=1); f(1, b=1); f(1)
result = L
""",
    "cache unhashable": r"""
from functools import cache
@cache
def f(a): return a
try:
    f([1]); result = 'ok'
except TypeError: result = 'te'
""",
    "local later bound": r"""
x = 'g'
def f():
    y = [x for x in range(2)]
    return x
result = f()
""",
    "class body reads global then binds": r"""
x = 'g'
class A:
    y = x
    x = 'c'
    z = x
result = [A.y, A.z]
""",
    "conditional local": r"""
def f(flag):
    if flag:
        v = 1
    return v if flag else 'none'
result = [f(True), f(False)]
""",
    "mappingproxy reading": r"""
from types import MappingProxyType
m = MappingProxyType({'a': 1, 'b': 2})
result = [m['a'], list(m), len(m), 'a' in m, m.get('z', 3), dict(m), {**m}, [list(i) for i in m.items()], sorted(m), bool(m), list(m.values())]
""",
    "ordereddict is dict": r"""
from collections import OrderedDict
d = OrderedDict([('b', 1), ('a', 2)])
d['c'] = 3
result = [list(d.items()), dict(d), d | {'z': 1}, d.copy() == d, reversed is None]
""",
    "defaultdict copy keeps factory": r"""
import copy
from collections import defaultdict
d = defaultdict(list, a=[1])
e = d.copy(); e['n'].append(1)
f = copy.deepcopy(d); f['m'].append(2)
g = d | {'q': 1}; g['r'].append(3)
result = [d, e, f, g]
""",
    "pydantic takes exact types": r"""
from pydantic import BaseModel, Field
from typing import Any, Optional, Literal
class P(BaseModel):
    name: str = Field(..., description='d')
    kind: Literal['a', 'b'] = 'a'
    props: dict[str, Any] = {}
    tags: list[str] = []
    n: Optional[int] = None
    m: int | None = None
p = P(name='x', props={'q': {'z': 1}}, tags=['t'], kind='b', n=3, m=None)
result = [p.name, p.kind, p.props, p.tags, p.n, p.m]
""",
    "generator side effects fully read": r"""
T = []
def g():
    for i in range(3):
        T.append(i); yield i * 2
result = [list(g()), T]
""",
    "coroutine awaited twice": r"""
import asyncio
async def f(): return 5
async def main():
    c = f()
    await c
    try:
        await c
        return 'ok'
    except RuntimeError:
        return 'err'
result = asyncio.run(main())
""",
    "gather results order": r"""
import asyncio
out = []
async def f(n): out.append(n); return n * 2
async def main():
    a, b = await asyncio.gather(f(1), f(2))
    return [a, b, out]
result = asyncio.run(main())
""",
    "isawaitable dispatch": r"""
import asyncio, inspect
async def f(): return 1
def g(): return 2
async def main():
    r = []
    for h in (f, g):
        v = h()
        if inspect.isawaitable(v): v = await v
        r.append(v)
    return r
result = asyncio.run(main())
""",
    "percent enum": r"""
from enum import Enum
class E(str, Enum):
    A = 'a'
class F(str, Enum):
    A = 'a'
    def __str__(self): return self.value
result = ["%s" % E.A, "%s %s" % (E.A, 1), "%s" % F.A, "%s%%" % 5, "%(x)s" % {'x': 3}]
""",
    "percent namedtuple arg": r"""
from typing import NamedTuple
class P(NamedTuple):
    x: int
    y: int
result = ['%s-%s' % P(1, 2), '%s' % (1,)]
""",
    "percent own str": r"""
class A:
    def __str__(self): return 'SA'
    def __repr__(self): return 'RA'
result = ['%s' % A(), '%s!' % (A(),)]
""",
    "proxy": r"""
from types import MappingProxyType
m = MappingProxyType({'a': 1, 'b': 2})
result = [m['a'], list(m), len(m), 'a' in m, m.get('z', 3), dict(m), {**m}, [list(i) for i in m.items()], sorted(m), bool(m), list(m.values())]
""",
    "class context manager swallow": r"""
class S:
    def __enter__(self): return self
    def __exit__(self, t, v, tb): return True
x = 1
with S():
    x = 2
    raise ValueError
    x = 3
result = x
""",
    "__format__ / __str__": r"""
class A:
    def __format__(self, s): return 'F' + s
    def __str__(self): return 'S'
result = [f"{A()}", f"{A():x}", f"{A()!s}", "%s" % A(), "{}".format(A())]
""",
    "comparison that a class leaves to the other operand": r"""
class P:
    def __init__(self, x):
        self.x = x
    def __eq__(self, other):
        if not isinstance(other, P):
            return NotImplemented
        return self.x == other.x
class Anything:
    def __eq__(self, other):
        return True
here = [P(1) == P(1), P(1) == P(2), P(1) == 3, P(1) != 3, 3 == P(1), P(1) == None, P(1) == Anything(), P(1) != Anything()]
result = [here, P(1) in [3], P(1) in [3, P(1)], [3, P(2)].count(P(2))]
""",
    "comparison by the methods of two classes": r"""
class Base:
    def __eq__(self, other):
        return "base"
    def __lt__(self, other):
        return "less"
    def __gt__(self, other):
        return NotImplemented
class Derived(Base):
    def __eq__(self, other):
        return "derived"
    def __gt__(self, other):
        return "greater"
class Never:
    def __eq__(self, other):
        return False
    def __ne__(self, other):
        return "ne"
never = Never()
result = [Base() == Derived(), Derived() == Base(), Base() != 3, Base() < Derived(), Base() > Derived(), Base() > Base(),
          never == never, never != never, never in [never], [never].index(never), [never].count(never)]
""",
    "comparison of members of an enum by its own method": r"""
from enum import Enum
class E(Enum):
    A = 1
    def __eq__(self, other):
        if not isinstance(other, E):
            return NotImplemented
        return self.value == other.value
result = [E.A == E.A, E.A == 1, E.A != 1]
""",
    "comparison of dataclasses by a method of their own": r"""
from dataclasses import dataclass
@dataclass
class D:
    x: int
    def __eq__(self, other):
        return True
@dataclass
class Plain:
    x: int
class Below(D):
    pass
one = Plain(1)
result = [D(1) == D(2), Below(1) == D(3), Below(1) != D(3), [one].index(one), one == one]
""",
    "key whose class defines equality alone": r"""
class P:
    def __eq__(self, other):
        return True
class Q(P):
    pass
def tried(make):
    try:
        return make()
    except TypeError:
        return "no key"
result = [tried(lambda: len({P(): 1})), tried(lambda: len({Q()})), tried(lambda: {}.get(P()))]
""",
    "comparison with an unknown value by a method that runs": r"""
import os
class A:
    seen = 0
    def __eq__(self, other):
        self.seen += 1
        return True
    def __contains__(self, other):
        self.seen += 1
        return True
a = A()
result = [a == os.environ.get("X"), os.environ.get("X") in a, a.seen]
""",
    "operator left to the other operand": r"""
class M:
    def __init__(self, x):
        self.x = x
    def __add__(self, other):
        if isinstance(other, int):
            return M(self.x + other)
        return NotImplemented
class N:
    def __radd__(self, other):
        return "reflected"
result = [(M(1) + 2).x, M(1) + N(), 3 + N(), "a" + N(), [1] + N(), (1,) + N()]
""",
    "operator of a subclass that overrides the reflected method": r"""
class A:
    def __add__(self, other):
        return "A.add"
    def __radd__(self, other):
        return "A.radd"
class B(A):
    def __radd__(self, other):
        return "B.radd"
class C(A):
    pass
result = [A() + B(), A() + C(), B() + A(), C() + B()]
""",
    "operators that few classes define": r"""
class A:
    def __init__(self):
        self.seen = []
    def __floordiv__(self, other): return "floordiv"
    def __pow__(self, other): return "pow"
    def __xor__(self, other): return "xor"
    def __rshift__(self, other): return "rshift"
    def __matmul__(self, other): return "matmul"
    def __neg__(self): return "neg"
    def __invert__(self): return "invert"
    def __lshift__(self, other):
        self.seen += other
        return self
a = A()
a << range(2) << {"a": 1}.keys() << (x for x in "q")
result = [a // 1, a ** 2, a ^ 1, a >> 1, a @ 1, -a, ~a, a.seen]
""",
    "operator of an object with an unknown value": r"""
import os
class A:
    def __init__(self):
        self.seen = []
    def __add__(self, other):
        self.seen.append(1)
        return self
    def __getitem__(self, key):
        self.seen.append(2)
        return "item"
a = A()
a + os.environ.get("X")
result = [a[os.environ.get("Y")], a.seen]
""",
    "augmented assignment of an object in place": r"""
class A:
    def __init__(self):
        self.seen = []
    def __iadd__(self, other):
        self.seen.append(other)
        return self
    def __ior__(self, other):
        return "other"
    def __imatmul__(self, other):
        return NotImplemented
    def __matmul__(self, other):
        return "matmul"
class Holder:
    shared = A()
a = b = A()
a += 1
c, d, h = A(), A(), Holder()
c |= 1
d @= 2
h.shared += 3
result = [b.seen, a is b, c, d, Holder.shared.seen, "shared" in vars(h)]
""",
    "augmented assignment of lists and sets in place": r"""
a = b = [1]
a *= 2
s = t = {1, 2, 3}
s -= {1}
s &= {2, 3, 4}
f = g = frozenset({1})
f |= {2}
u = [1, 2, 3]
u[:2] += [9]
result = [a, b, sorted(s), sorted(t), sorted(f), sorted(g), u]
""",
    "augmented assignment evaluates its target once": r"""
log = []
class C:
    x = 0
c = C()
def owner():
    log.append("owner")
    return c
names, d = ["a", "b"], {"a": 0, "b": 0}
owner().x += 1
d[names.pop()] += 1
result = [log, c.x, names, d]
""",
    "augmented assignment sets what it changed in place": r"""
log = []
class R:
    def __getitem__(self, key):
        return [key]
    def __setitem__(self, key, value):
        log.append((key, value))
class P:
    def __init__(self):
        self._t = []
    @property
    def t(self):
        return self._t
class S:
    items = []
TOOLS = [0]
class Own:
    TOOLS += [1]
TOOLS = []
r, p, s, pair = R(), P(), S(), ([],)
r["a"] += [1]
s.items += [1]
S.items = []
def refused(change):
    try:
        change()
    except (AttributeError, TypeError):
        return "refused"
def by_property():
    p.t += [1]
def by_tuple():
    pair[0] += [1]
result = [log, s.items, Own.TOOLS, refused(by_property), p.t, refused(by_tuple), pair]
""",
    "list augmented by an object with a method of its own": r"""
class A:
    def __iter__(self):
        return iter([3])
    def __radd__(self, other):
        return "reflected"
x = y = [1]
x += A()
result = [x, y]
""",
    "item deleted by a method": r"""
class R:
    seen = []
    def __delitem__(self, key):
        self.seen.append(key)
r = R()
del r[1]
result = r.seen
""",
    "attribute set by the class before its properties": r"""
log = []
class A:
    def __setattr__(self, name, value):
        log.append(name)
        super().__setattr__(name, value)
    @property
    def p(self): return 3
    @p.setter
    def p(self, value): log.append(["set", value])
class Drops:
    def __setattr__(self, name, value):
        log.append(name)
    p = property(lambda self: 1, lambda self, value: log.append("never"))
class D:
    def __set__(self, owner, value): log.append(["by descriptor", value])
class B:
    d = D()
a, b = A(), B()
a.p, a.q = 4, 5
Drops().p = 1
object.__setattr__(b, "d", 6)
result = [log, a.q, vars(b)]
""",
    "properties made from others": r"""
class A:
    def __init__(self):
        self.log = []
    def get(self): return 1
    def put(self, value): self.log.append(value)
    made = property(get, put)
    @property
    def p(self): return 1
    @p.setter
    def q(self, value): self.log.append(["q", value])
    @p.getter
    def r(self): return 2
class B(A):
    @A.q.getter
    def q(self): return 3
    @A.p.setter
    def p(self, value): self.log.append(["B", value])
    @p.deleter
    def p(self): self.log.append("deleted")
a, b = A(), B()
a.made, a.q, b.q, b.p = 5, 6, 7, 8
del b.p
try:
    a.p = 1
except AttributeError:
    a.log.append("no setter")
result = [a.made, a.get(), a.log, a.r, a.p, a.q, b.q, b.p, b.log]
""",
    "attributes and names deleted": r"""
class A:
    shared = 1
    def __delattr__(self, name):
        log.append(name)
class B:
    shared = 1
log = []
a, b = A(), B()
a.x = b.x = b.y = 3
del a.x, b.x
delattr(b, "y")
def refused(change):
    try:
        change()
    except (AttributeError, NameError):
        return True
    return False
def by_name():
    del b.x
def by_class():
    del b.shared
def unbound():
    del nothing
    nothing = 1
result = [log, a.x, hasattr(b, "x"), hasattr(b, "y"), [refused(f) for f in (by_name, by_class, unbound)]]
""",
    "method of one of two sides of a condition": r"""
import os
class A:
    if os.environ.get("X"):
        def f(self): return self.n
        @property
        def g(self): return self.n
        @classmethod
        def make(cls): return cls(3)
    else:
        def f(self): return self.n
        g = 3
        @classmethod
        def make(cls): return cls(3)
    def __init__(self, n): self.n = n
a = A(3)
result = [a.f(), a.g, A.make().n]
""",
    "exception dropped by finally": r"""
log = []
def f():
    try:
        raise ValueError
    finally:
        return "returned"
def g():
    try:
        raise ValueError
    except ValueError:
        raise KeyError
    finally:
        return "returned"
for i in range(3):
    try:
        raise ValueError
    finally:
        log.append(i)
        continue
while True:
    try:
        log.append(1 // 0)
    finally:
        break
result = [f(), g(), log]
""",
    "finally runs on each side of a condition": r"""
import os
log = []
class M:
    def __enter__(self): return self
    def __exit__(self, *details): log.append("left")
def f():
    try:
        if os.environ.get("X"):
            return 1
    finally:
        log.append("finally")
    return 2
def g():
    with M():
        if os.environ.get("X"):
            return 1
    return 2
def h():
    try:
        if os.environ.get("X"):
            return 1
    finally:
        return 3
f(), g()
result = [log, h()]
""",
    "metaclass that has more methods than are followed": r"""
TOOLS = []
class Meta(type):
    @classmethod
    def __prepare__(meta, name, bases, **options):
        TOOLS.append(["prepare", name])
        return {}
    def __new__(meta, name, bases, names, **options):
        cls = super().__new__(meta, name, bases, names)
        TOOLS.append(["new", name, list(options)])
        return cls
    def __init__(cls, name, bases, names, **options):
        TOOLS.append(["init", len(bases)])
    def __len__(cls):
        return 3
class A(metaclass=Meta, tool=1):
    pass
class B(A):
    pass
result = TOOLS
""",
    "metaclass that derives from a library's, or is a function": r"""
import enum
TOOLS = []
class Meta(enum.EnumMeta):
    def __new__(meta, name, bases, names):
        TOOLS.append(name)
        return super().__new__(meta, name, bases, names)
def made(name, bases, names):
    TOOLS.append(name)
    return type(name, bases, names)
class A(enum.Enum, metaclass=Meta):
    X = 1
class B(metaclass=made):
    pass
result = TOOLS
""",
    "class that derives from an object": r"""
TOOLS = []
class Meta(type):
    def __init__(cls, name, bases, names):
        TOOLS.append(name)
class G:
    def __mro_entries__(self, bases):
        TOOLS.append("entries")
        return ()
def with_metaclass(meta, *bases):
    return meta("temporary", bases, {})
class A(with_metaclass(Meta)):
    pass
class B(G()):
    pass
result = TOOLS
""",
    "class that a call makes is registered by its base": r"""
import types
from dataclasses import make_dataclass
TOOLS = []
class Base:
    def __init_subclass__(cls, **options):
        TOOLS.append("subclass")
class Meta(type):
    def __init__(cls, name, bases, names):
        TOOLS.append(name)
class Other(metaclass=Meta):
    pass
type("X", (Base,), {})
type("Y", (Other,), {})
types.new_class("Z", (Base,))
make_dataclass("D", ["a"], bases=(Base,))
result = TOOLS
""",
    "class operations that its metaclass or itself defines": r"""
log = []
class Meta(type):
    def __setattr__(cls, name, value):
        log.append(name)
        super().__setattr__(name, value)
    def __getitem__(cls, key):
        log.append(key)
        return key
class A(metaclass=Meta):
    pass
class B:
    def __class_getitem__(cls, key):
        log.append(key)
        return key
A.x = 3
result = [A["a"], B["b"], A.x, log]
""",
    "metaclass that makes instances, and is not followed otherwise": r"""
log = []
class Meta(type):
    def __call__(cls, *given):
        log.append("call")
        return super().__call__(*given)
    def __init__(cls, name, bases, names):
        log.append("init")
    def __len__(cls): return 1
class A(metaclass=Meta):
    def __init_subclass__(cls):
        log.append("below")
class B(A): pass
B()
result = log
""",
    "item of an object without the method": r"""
log = []
class A: pass
def tried(change):
    try:
        change()
    except TypeError:
        log.append("TypeError")
def put():
    A()[1] = 2
def drop():
    del A()[1]
tried(put)
tried(drop)
result = log
""",
    "managers one within the other": r"""
from contextlib import suppress
log = []
class M:
    def __init__(self, n, swallows=False):
        self.n, self.swallows = n, swallows
    def __enter__(self):
        if self.n == 3:
            raise ValueError
        log.append(["enter", self.n])
        return self
    def __exit__(self, *details):
        log.append(["exit", self.n])
        return self.swallows
with M(1, True) as one, M(3):
    log.append("never")
with suppress(ValueError), suppress(KeyError):
    raise KeyError
with suppress(KeyError), M(4), suppress(ValueError):
    {}["x"]
with M(5), M(6, True):
    raise OSError
result = log
""",
}
"""Programs whose result the evaluator computes: Python is the oracle."""
