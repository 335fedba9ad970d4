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
    "set(v0) | {1}",
    "{'z'}.union(v0)",
    "dict.fromkeys(v0, 1)",
    "[*v0, 1]",
    "list(zip(v0, 'ab', strict=True))",
    "v0[-1]",
    "v0[-1].upper()",
    "sorted(v0, reverse=True)",
    "min(v0)",
    "max(v0, key=len)",
    "' '.join(str(x) for x in v0)",
    "[len(x) for x in reversed(v0)]",
    "sum(len(x) for x in v0)",
    "any(x.upper() for x in v0)",
    "next(iter(v0)).upper()",
    "list(v0).index(2)",
    "v0.index('b')",
    "v0.count(2)",
    "2 in v0",
    "len(v0)",
    "v0 == ['a']",
    "v0 * 2",
    "str(v0)",
    "f'{v0}'",
    "'%s %s' % tuple(v0)",
    "'{} {}'.format(*v0)",
    "json.dumps(v0)",
    "{x: len(x) for x in v0}",
    "{len(x) for x in v0}",
    "[x for x in v0 for y in x]",
    "[(x, y) for x in v0 for y in range(len(x))]",
    "functools.reduce(lambda a, b: a + b, v0, '')",
    "copy.deepcopy(v0)[0]",
    "tuple(v0)[1]",
    "isinstance(v0[-1], int)",
    "[int(x) for x in v0 if x != 'a']",
    "list(filter(None, [x and len(x) for x in v0]))",
    "dict(zip(v0, v0))",
    "{**{str(x): x.upper() for x in v0}}",
    "v0.pop()",
    "v0.remove(2)",
    "v0.sort()",
    "v0.extend(x.upper() for x in v0[:])",
    "v0.insert(0, v0[1])",
    "[].extend(map(len, v0))",
    "dict([(x, len(x)) for x in v0])",
    "dict(((x, len(x)) for x in v0))",
    "list(enumerate(map(len, v0)))",
    "list(map(lambda x, y: x + y, v0, v0))",
    "[a for a, in v0]",
    "bytes(v0)",
    "''.join(v0[::-1])",
    "dict(a=1, **{x: 1 for x in v0})",
    "max(map(len, v0))",
    "list(map(str.upper, v0))",
    "sorted(v0, key=str.upper)",
    "(lambda *a: [x.upper() for x in a])(*v0)",
    "(lambda a, b=1: b)(*v0)",
]
"""Of a list with an element that may be there, and is of another type."""
ENTRIES = [
    "f(**v0)",
    "g(**v0)",
    "h(**v0)",
    "K(**v0).a",
    "[x.upper() for x in v0.values()]",
    "{k: x.upper() for k, x in v0.items()}",
    "dict(v0, c=1)",
    "sorted(v0)",
    "sorted(v0.items(), key=lambda p: p[1].upper())",
    "v0['b']",
    "v0['b'].upper()",
    "v0.get('b', 'x').upper()",
    "v0.pop('b')",
    "v0.setdefault('b', 'x').upper()",
    "'{a}{b}'.format(**v0)",
    "'%(a)s%(b)s' % v0",
    "v0 | {'c': v0['b']}",
    "{**v0}['b']",
    "[v0[k].upper() for k in v0]",
    "min(v0.values())",
    "len(v0)",
    "v0 == {'a': '1'}",
    "json.dumps(v0)",
    "list(v0)[1]",
    "any(x.upper() for x in v0.values())",
    "dict(map(lambda p: (p[0], p[1].upper()), v0.items()))",
    "{x: 1 for x in v0.values() if x.upper()}",
    "v0.popitem()[1].upper()",
    "max(v0, key=lambda k: v0[k].upper())",
    "list(reversed(v0))",
    "f(*v0)",
    "f(*v0.values())",
    "type('X', (), v0)().b",
    "set(v0.values())",
]
"""Of a dict with an entry that may be there."""
CALLS = [
    "max(v0, key=f)",
    "list(map(f, v0, v0))",
    "any(map(f, v0))",
    "next(map(f, reversed(v0)))",
    "{f(x) for x in v0}",
    "{f(x): f(x) for x in v0}",
    "sum(len(f(x)) for x in v0)",
    "' '.join(f(x) for x in v0)",
    "functools.reduce(f, v0)",
    "[f(y) for x in v0 for y in x]",
    "[f(x) for x in v0 if f(x)]",
    "dict((f(x), 1) for x in v0)",
    "f(*map(f, v0))",
    "list(filter(f, v0))",
    "dict.fromkeys(map(f, v0))",
    "[f(x) for x in reversed(v0)]",
    "list(zip(map(f, v0), v0))",
    "list(enumerate(map(f, v0)))",
    "f(f(v0[0])) if FLAG and f('z') else 1",
    "[x for x in v0 if x in map(f, v0)]",
    "v0.extend(map(f, v0[:]))",
    "1 < len(v0) < len(f('zz'))",
    "v0.sort(key=f)",
]
"""That call a function which notes what it is called with, for an element that may be there."""
REPEATED = [
    "max(v0, key=f)",
    "list(map(f, v0, v0))",
    "list(map(f, v0))",
    "any(map(f, v0))",
    "list(filter(f, v0))",
    "functools.reduce(f, v0)",
    "sorted(v0, key=f)",
    "[f(x) for x in v0]",
    "dict((f(x), 1) for x in v0)",
    "{**dict.fromkeys(map(f, v0))}",
    "max((f(x) for x in v0), default=1)",
    "list(v0).sort(key=f)",
    "sorted([1, *v0][1:], key=f)",
    "max([*v0, 'z'], key=f)",
]
"""That call it for any number of elements."""
MISTAKES = [
    "str.upper(2)",
    "list(map(str.upper, ['a', 2]))",
    "sorted(['a', 2], key=str.upper)",
    "dict.get(1, 2)",
    "str.join(1, 'a')",
    "'a'.join([1])",
    "max(['a'], key=str.foo)",
    "list(map(str.split, ['a b'], [3]))",
    "dict.update([], {})",
    "str.startswith('a', 1)",
    "'a'.replace(1, 2)",
    "'a' * 'b'",
    "len(1)",
    "sum(['a'])",
    "chr('a')",
    "int('a')",
    "range('a')",
    "[1][None]",
    "{}[[]]",
    "'abc'['a']",
    "divmod(1, 0)",
    "hash([])",
    "isinstance(1, 2)",
    "getattr(1)",
    "setattr(1, 'a', 2)",
    "zip(1)",
    "enumerate(1)",
    "reversed(1)",
    "sorted(1)",
    "max(1)",
    "dict(1)",
    "dict([1])",
    "set([[]])",
    "tuple(1)",
    "str(b'a', 'x')",
    "bytes(-1)",
    "'%d' % 'a'",
    "'{}'.format()",
    "f'{1:z}'",
    "json.dumps({1, 2})",
    "json.loads('x')",
    "copy.deepcopy()",
    "functools.reduce(lambda a, b: a, [])",
]
"""That raise, whatever the environment."""
METHODS = [
    "D(a=1).get2('a')",
    "D(a=1).put('b', 2)",
    "S('a').up()",
    "L([1]).add(2)",
    "dict.get({'a': 1}, 'a')",
    "list.index([1, 2], 2)",
    "str.join(',', ['a', 'b'])",
    "list.append([1], 2)",
    "list(map(str.strip, [' a', 'b ']))",
    "sorted(['b', 'A'], key=str.lower)",
    "max(['a', 'bb', 'cc'], key=len)",
    "max([], default=3)",
    "max(3, 1, 2, key=lambda x: -x)",
    "dict.fromkeys(['a'], 1)",
    "str.lower(FLAG or 'A')",
]
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
    "enumerate zip": """
        v0 = ["a"]
        if FLAG: v0.append(2)
        try: v1 = [x.upper() for i, x in enumerate(v0)]
        except AttributeError: v1 = "raised"
        try: v2 = [x.upper() for x, y in zip(v0, "abc")]
        except AttributeError: v2 = "raised"
    """,
    "class call elements": """
        class C:
            n = 0
            def __init__(self, x): C.n += 1; self.x = x.upper()
        v0 = ["b"]
        if FLAG: v0.append("c")
        v1 = [C(x).x for x in v0]
        v2 = C.n
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
    "fstring cond": """
        v1=[]
        v0 = f"{FLAG and v1.append(1)}"
    """,
    "assert": """
        v0 = 1
        try:
            assert FLAG
            v0 = 2
        except AssertionError: v0 = 3
    """,
}
"""With a block of its own."""


def _tried(head: str, expression: str) -> str:
    return f"{head}try: v1 = repr({expression})\nexcept Exception as error: v1 = type(error).__name__\n"


EQUAL = [
    "{3.0, 12}.union([4, 12, 3])", "{3.0} | {3}", "frozenset([3.0]) | {3}", "{True}.union([1])", "{3} & {3.0, 5, 6}",
    "{3.0, 5} & {3, 5}", "{3}.intersection([3.0, 5.0])", "{3.0, 5} ^ {3, 7.0}", "{3.0, 5} - {5.0}", "{(3.0,)} | {(3,)}",
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
