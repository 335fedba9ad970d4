"""Programs that compute with elements that may not be there, or with any number of them, in one expression each."""

from __future__ import annotations

from textwrap import dedent

from tests.fuzz.alias_traps import HEAD as COMMON

HEAD = f"import json\n{COMMON}"

_LIST = """
v0 = ["a"]
if FLAG: v0.append(2)
"""
_DICT = """
v0 = {"a": "1"}
if FLAG: v0["b"] = 2
def f(a, b=5): return b
def g(a, **k): return sorted(k)
def h(**k): return [x.upper() for x in k.values()]
class K:
    def __init__(self, a): self.a = a
"""
_EFFECT = """
v0, v2 = ["a"], []
if FLAG: v0.append("b")
def f(x, *r):
    v2.append(x)
    return x
"""
_ANY = """
v0, v2 = (FLAG or "q"), []
def f(x, *r):
    v2.append(x)
    return x
"""
_SUBCLASSES = """
class D(dict):
    def get2(self, k): return dict.get(self, k)
    def put(self, k, v): dict.__setitem__(self, k, v); return dict.update(self, {"z": 1})
class S(str):
    def up(self): return str.upper(self)
class L(list):
    def add(self, x): list.append(self, x); return len(self)
"""

ELEMENTS = [
    "[].extend(map(len, v0))",
    "sorted(v0, reverse=True)",
    "any(x.upper() for x in v0)",
    "[x for x in v0 for y in x]",
    "{**{str(x): x.upper() for x in v0}}",
    "v0.sort()",
    "list(map(lambda x, y: x + y, v0, v0))",
    "[a for a, in v0]",
    "dict(a=1, **{x: 1 for x in v0})",
]
"""Of a list with an element that may be there, and is of another type."""
ENTRIES = [
    "K(**v0).a",
    "{k: x.upper() for k, x in v0.items()}",
    "{x: 1 for x in v0.values() if x.upper()}",
]
"""Of a dict with an entry that may be there."""
CALLS = [
    "v0.sort(key=f)",
    "list(filter(f, v0))",
    "any(map(f, v0))",
    "1 < len(v0) < len(f('zz'))",
]
"""That call a function which notes what it is called with, for an element that may be there."""
REPEATED = [
    "any(map(f, v0))",
    "list(v0).sort(key=f)",
]
"""That call it for any number of elements."""
MISTAKES = [
    "sorted(['a', 2], key=str.upper)",
    "max(['a'], key=str.foo)",
    "list(map(str.split, ['a b'], [3]))",
    "sum(['a'])",
    "range('a')",
    "[1][None]",
    "'abc'['a']",
    "setattr(1, 'a', 2)",
    "zip(1)",
    "enumerate(1)",
    "reversed(1)",
    "sorted(1)",
    "max(1)",
    "dict(1)",
    "tuple(1)",
    "'%d' % 'a'",
]
"""That raise, whatever the environment."""
METHODS = []
"""Of built-in types, called on the type."""

BLOCKS = {
    "dict kwargs": """
        v0 = {"x": 1}
        if FLAG: v0["y"] = 2
        def f(x): return x
        try: v1 = f(**v0)
        except TypeError: v1 = "raised"
    """,
    "filter raises": """
        v0 = ["a"]
        if FLAG: v0.append(2)
        try: v1 = list(filter(lambda x: x.isalpha(), v0))
        except AttributeError: v1 = "raised"
    """,
    "any gen": """
        v0 = ["a"]
        if FLAG: v0.append(2)
        try: v1 = all(x.isalpha() for x in v0)
        except AttributeError: v1 = "raised"
    """,
    "nested comp elt raises": """
        v0 = ["a"]
        if FLAG: v0.append(2)
        try: v1 = [[y for y in x] for x in v0]
        except TypeError: v1 = "raised"
    """,
    "chained compare": """
        v1 = []
        def f(x):
            v1.append(x)
            return x
        v0 = 1 < (2 if FLAG else 0) < f(3)
    """,
    "ifexp raise": """
        try: v0 = [][0] if FLAG else 1
        except IndexError: v0 = 'raised'
    """,
    "walrus": """
        v0 = 0
        if FLAG and (v0 := 5): pass
        v1 = [v0 for _ in (1, 2) if (v0 := v0 + 1) if FLAG]
    """,
}
"""With a block of its own."""


def _tried(head: str, expression: str) -> str:
    return f"{head}try: v1 = repr({expression})\nexcept Exception as error: v1 = type(error).__name__\n"


EQUAL = [
      "frozenset([3.0]) | {3}",
    "{3.0, 5} & {3, 5}", "{3}.intersection([3.0, 5.0])",
]  # fmt: skip
"""Of two equal elements one is kept."""

CONDITIONAL = {
    **{f"element {one}": HEAD + _tried(_LIST, one) for one in ELEMENTS},
    **{f"entry {one}": HEAD + _tried(_DICT, one) for one in ENTRIES},
    **{f"call {one}": f"{HEAD}{_EFFECT}v1 = {one}\n" for one in CALLS},
    **{f"repeated {one}": f"{HEAD}{_ANY}v1 = {one}\n" for one in REPEATED},
    **{name: HEAD + dedent(block) for name, block in BLOCKS.items() if "FLAG" in block},
}
"""What a condition decides."""

ALWAYS = {
    **{f"mistake {one}": HEAD + _tried("", one) for one in MISTAKES},
    **{f"equal {one}": f"{HEAD}v1 = {one}\n" for one in EQUAL},
    **{f"method {one}": HEAD + _tried(_SUBCLASSES, one) for one in METHODS},
    **{name: HEAD + dedent(block) for name, block in BLOCKS.items() if "FLAG" not in block},
}
"""What is the same in every environment."""
