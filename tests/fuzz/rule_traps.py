# ruff: noqa: E501 - the programs are as people write them
"""Rules of Python that a reader of source easily gets wrong: of each of these programs, ``result`` was once misread."""

from __future__ import annotations

PROGRAMS = {
    "objects that are set, called, compared and asked for what they are": r"""
from operator import itemgetter
class A:
    def __init__(self): self.log = []
    @property
    def p(self): return 4
    @p.setter
    def p(self, value): self.log.append(value)
    @p.deleter
    def p(self): self.log.append("gone")
a = A()
a.p = 1
del a.p
v1, v2, v3, v4 = a.p, a.log, bool(a), (1,) == [1]
v5, v6, result = {"a": 1} == {"b": 1}, sorted([{"n": 2}, {"n": 1}], key=itemgetter("n")), []
for act in (lambda: a(), lambda: A["x"], lambda: a.q):
    try: act()
    except (TypeError, AttributeError) as error: result.append(type(error).__name__)
""",
    "pydantic Literal error": r"""
from pydantic import BaseModel
from typing import Literal
class A(BaseModel):
    x: Literal['a']
try:
    A(x='b'); result = 'ok'
except ValueError: result = 'err'
""",
    "generator expression late binding of outer": r"""
n = 1
g = (x * n for x in [1, 2])
n = 10
result = list(g)
""",
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
    "isinstance and type of a named tuple": r"""
from typing import NamedTuple
class P(NamedTuple):
    x: int
class Other(NamedTuple):
    x: int
p = P(1)
result = [isinstance(p, P), isinstance(p, Other), isinstance(p, tuple), isinstance(p, (list, P)), type(p) is P, type(p) is tuple, type(p).__name__, p.__class__ is P, type((1,)) is tuple]
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
    "a parameter refuses to be changed": r"""
import inspect
def f(a): pass
try:
    inspect.signature(f).parameters["a"].kind = 3
    result = 1
except AttributeError:
    result = 2
""",
    "a cached function is no function, and an instance may have __call__ from a library": r"""
import functools, inspect
@functools.cache
def f(): pass
class P(functools.partial): pass
v1, result = inspect.isfunction(f), callable(P(len))
""",
    "subclass by a hook": r"""
from abc import ABC
class B(ABC):
    @classmethod
    def __subclasshook__(cls, other): return True
class A: pass
result = isinstance(A(), B)
""",
    "pydantic str strip config": r"""
from pydantic import BaseModel, ConfigDict
class A(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True, str_to_upper=True)
    x: str
result = A(x='  a ').x
""",
    "equality of OrderedDict, and ties of a set that is sorted": r"""
from collections import OrderedDict
v1, v2 = OrderedDict(a=1, b=2) == OrderedDict(b=2, a=1), OrderedDict(a=1, b=2) == {'b': 2, 'a': 1}
result = sorted({'aa', 'b', 'cc'}, key=len)
""",
    "truth, equality and instances of a class with a metaclass": r"""
class Meta(type):
    def __bool__(cls): return False
    def __eq__(cls, other): return True
    def __hash__(cls): return 1
    def __instancecheck__(cls, other): return True
class A(metaclass=Meta): pass
v1, v2, result = bool(A), A == int, isinstance(3, A)
""",
}
