"""Programs that ask for what stands where in a container of which that is not known, or not of all of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from textwrap import dedent

from tests.fuzz.condition_traps import HEAD as COMMON

EVERYTHING = bool(os.environ.get("EVERY_ORDER"))
HEAD = f"""import collections, itertools
{COMMON}MANY = range(int(os.environ.get("PD_B") or 0))
def first(items):
    for item in items:
        return item
def last(items):
    item = None
    for item in items:
        pass
    return item
def broken(items):
    for item in items:
        break
    return item
def kept(items):
    found = None
    for item in items:
        found = found or item
    return found
def counted(items):
    places, n = {{}}, 0
    for item in items:
        n += 1
        places[str(item)] = n
    return places.get("4"), places.get("a")
def paired(items):
    before, pairs = "none", []
    for item in items:
        pairs.append((before, item))
        before = item
    return pairs[:1], pairs[-1:]
def numbered(items):
    numbers = itertools.count()
    return [(next(numbers), item) for item in items]
def generated(items):
    yield from items
    yield 6
class Counter:
    n = 0
    def take(self, item):
        self.n += 1
        return (self.n, item)
"""

LISTS = {
    "sorted": "v0 = [1, 2]\nv0.sort(reverse=bool(FLAG))",
    "longer": "v0 = [1]\nfor _ in MANY: v0.append(7)",
    "while longer": "v0, n = [1], len(MANY)\nwhile n > 0:\n    n -= 1\n    v0.append(7)",
    "spread": "v0 = [3, *(5 for _ in MANY), 1]",
    "empty or not": "v0 = [5 for _ in MANY]",
    "appended": "v0 = [1]\nif FLAG: v0.append(2)",
    "inserted": "v0 = [1]\nif FLAG: v0.insert(0, 2)",
    "filtered": "v0 = [x for x in (1, 2, 3) if FLAG or x > 1]",
    "turned": "v0 = collections.deque([1, 2])\nif FLAG: v0.rotate(1)\nv0 = list(v0)",
    "taken from": "v0 = collections.deque([1, 2])\nv0.popleft()\nv0 = list(v0)",
    "handed on": "v0 = [1, 2]\nfor name in os.environ:\n    if name == 'PD_A': v0.reverse()",
}
LIST_CHANGES = [
    "", "v0.append(4)", "v0.extend([4])", "v0 += [4]", "v0 = v0 + [4]", "v0 = [*v0, 4]", "v0 = [4, *v0]",
    "v0.insert(0, 4)", "v0.insert(1, 4)", "v0 = v0 * 2", "v0.append(4); v0.reverse()", "v0 = list(reversed([*v0, 4]))",
    "v0 = list(map(int, v0)) + [4]", "v0 = list(filter(None, v0)) + [4]", "v0 = list(itertools.chain(v0, [4]))",
    "v0 = list(generated(v0))", "v0 = sum([v0, [4]], [])", "for x in (4, 8): v0.append(x)",
    "v0 = [x for part in (v0, [4]) for x in part]", "v0 = collections.deque(v0); v0.append(4)",
    "v0 = collections.deque(v0); v0.appendleft(4)",
]  # fmt: skip
LIST_QUESTIONS = [
    "v0[0]", "v0[1]", "v0[-1]", "list(v0)[:1]", "next(iter(v0))", "next(reversed(v0))",
    "next((x for x in v0 if x > 1), None)", "list(enumerate(v0))[:1]", "(0, 4) in list(enumerate(v0))",
    "{x: n for n, x in enumerate(v0)}.get(4)", "dict(zip('abc', v0)).get('a')",
    "[(x, y) for x, y in zip(v0, v0[1:])][:1]", "[x for x in v0][0]", "tuple(v0)[0]", "(lambda *a: a[0])(*v0)",
    "(lambda a, *b: a)(*v0)", "(lambda a, *b: a)(*v0, 9)", "(lambda a, b=None, *c: b)(9, *v0, 9)",
    "(lambda *a, **k: (a, k))(*v0, x=9)", "list(dict.fromkeys(v0))[0]", "list(v0).index(4)", "list(v0).pop()",
    "list(v0).pop(0)", "v0.copy()[0]", "sorted(v0)[0]", "max(v0)", "len(v0)", "4 in v0", "str(list(v0))",
    "json.dumps(list(v0))", "','.join(map(str, v0))", "list(itertools.islice(v0, 1))",
    "functools.reduce(lambda a, b: a * 10 + b, v0)", "[x for x in map(Counter().take, v0)][:1]",
    "(1, 4) in list(map(Counter().take, v0))", "(1, 4) in [counter.take(x) for counter in [Counter()] for x in v0]",
    *(f"{name}(v0)" for name in ("first", "last", "broken", "kept", "counted", "paired", "numbered")),
]  # fmt: skip

DICTS = {
    "filled": "v0 = {'a': 1}\nfor _ in MANY: v0['b'] = 7",
    "filled before": "v0 = {}\nfor _ in MANY: v0['b'] = 7",
    "keys not known": "v0 = {'b': 1}\nfor x in os.environ.get('PD_A', ''): v0[x] = 7",
    "perhaps replaced": "v0 = {'a': 1, 'b': 2}\nfor x in os.environ.get('PD_A', ''): v0[x.replace('x', 'a')] = 7",
    "either order": "v0 = {}\nif FLAG:\n    v0['a'] = 1\n    v0['b'] = 2\nelse:\n    v0['b'] = 2\n    v0['a'] = 1",
    "one in between": "v0 = {'c': 1}\nif FLAG:\n    v0['b'] = 2\nelse:\n    v0['a'] = 1\n    v0['b'] = 2",
    "perhaps first": "v0 = {}\nif FLAG: v0['a'] = 1\nv0['b'] = 2",
    "perhaps last": "v0 = {'b': 2}\nif FLAG: v0['a'] = 1",
    "perhaps gone": "v0 = {'a': 1, 'b': 2}\nif FLAG: v0.pop('a')",
    "perhaps moved": "v0 = {'a': 1, 'b': 2}\nif FLAG: v0['a'] = v0.pop('a')",
    "moved often": "v0 = {'a': 1, 'b': 2}\nfor _ in MANY: v0['a'] = v0.pop('a')",
    "from a list": "v0 = [*'ab']\nv0.sort(reverse=bool(FLAG))\nv0 = dict.fromkeys(v0, 1)",
    "moved to the end": "v0 = collections.OrderedDict(a=1, b=2)\nif FLAG: v0.move_to_end('a')",
}
DICT_CHANGES = [
    "", "v0['a'] = 3", "v0['z'] = 3", "v0.update(a=5)", "v0.update({'z': 1, 'a': 2})", "v0.setdefault('a', 9)",
    "v0 = {**v0, 'a': 3}", "v0 = {'z': 1, **v0}", "v0 = {'z': 1} | v0 | {'a': 2}", "v0 = v0.copy(); v0['a'] = 3",
    "v0 = dict(v0, a=3)", "v0 = copy.copy(v0); v0['z'] = 4", "v0 = copy.deepcopy(v0)",
    "v0 = {k: v for k, v in v0.items()}", "v0 = dict(v0.items())", "v0 = dict(zip(v0.keys(), v0.values()))",
    "v0 = collections.OrderedDict(v0)", "v0.pop('b', None); v0['b'] = 5",
]  # fmt: skip
DICT_QUESTIONS = [
    "list(v0)", "list(v0)[0]", "list(v0)[-1]", "next(iter(v0))", "next(reversed(v0))", "list(v0.items())[0]",
    "list(v0.keys())[0]", "[k for k in v0][0]", "[k for k, _ in v0.items()]", "v0.copy().popitem()[0]",
    "json.dumps(v0)", "json.dumps(v0, sort_keys=True)", "str(dict(v0))", "f'{dict(v0)}'", "' '.join(v0)", "sorted(v0)",
    "max(v0)", "min(v0, key=v0.get)", "len(v0)", "'a' in v0", "v0.get('a')", "v0 == {'a': 3, 'b': 2}",
    "dict(enumerate(v0)).get(0)", "(lambda **k: list(k))(**v0)", "list(dict(**v0))", "list(dict(x=1, **v0))",
    "(lambda a=0, **k: a)(**v0)", "(lambda a=0, **k: list(k))(**v0)", "list(map(str, v0))[0]", "tuple(v0)[0]",
    "(lambda *a: a[0])(*v0)", "collections.OrderedDict(v0) == collections.OrderedDict(a=1, b=2)",
    *(f"{name}(v0)" for name in ("first", "last", "broken", "kept", "counted", "paired", "numbered")),
]  # fmt: skip


SEEN = {
    "ties of a key": """
        v1 = max(v0, key=lambda k: 0), min(v0.items(), key=lambda pair: 0)
        v2 = sorted(v0, key=lambda k: 0)
    """,
    "asked in turn": """
        v1 = []
        def key(k):
            v1.append(k)
            return k
        v2 = sorted(v0, key=key)
    """,
    "equal values": """
        v0 = {k: True if k == "a" else 1 for k in v0}
        v1 = repr(max(v0.values())), repr(set(v0.values()))
    """,
    "partial": """
        v1 = list(functools.partial(lambda **k: k, **v0)(z=1))
    """,
    "namespace": """
        import types
        v1 = list(vars(types.SimpleNamespace(**v0)))
        v2 = hasattr(types.SimpleNamespace(**v0), "a")
    """,
    "typed dict": """
        from typing import TypedDict
        class T(TypedDict, total=False):
            a: int
        v1, v2 = list(T(**v0)), T(v0)
    """,
    "attributes": """
        class C:
            def __init__(self, **k): self.__dict__.update(k)
        v1 = hasattr(C(**v0), "a")
        v2 = list(vars(C(**v0)))
    """,
}
LOOP = """
v0 = {"a": 1}
try:
    for k in v0:
        if FLAG: v0["z"] = 1
    v1 = 1
except RuntimeError: v1 = 2
"""
READ_IN_PART = {
    "perhaps left": "for x in it:\n    if FLAG: break",
    "left at a place": "for x in it:\n    if FLAG:\n        if x == 2: break",
    "left at once": "for x in it: break",
    "returned from": "def f():\n    for x in it:\n        if FLAG: return x\nv2 = f()",
    "read through another": "for n, x in enumerate(it):\n    if FLAG: break",
}


def _pairs(made: dict[str, str], others: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Each way to make a container with a third of ``others``, by turns; with all where ``EVERY_ORDER`` is set."""
    for row, (name, source) in enumerate(made.items()):
        yield from ((name, source, other) for n, other in enumerate(others) if EVERYTHING or (row + n) % 3 == 0)


def _asked(made: str, change: str, questions: list[str]) -> str:
    asked = (
        f"try: v{number} = {question}\nexcept Exception as error: v{number} = type(error).__name__"
        for number, question in enumerate(questions, 1)
    )
    return "\n".join((HEAD, made, change, *asked, ""))


CASES = {
    **{f"list {n}, {c}": _asked(made, c, LIST_QUESTIONS) for n, made, c in _pairs(LISTS, LIST_CHANGES)},
    **{f"dict {n}, {c}": _asked(made, c, DICT_QUESTIONS) for n, made, c in _pairs(DICTS, DICT_CHANGES)},
    **{f"dict {n}, {s}": f"{HEAD}{made}\n{dedent(SEEN[s])}" for n, made, s in _pairs(DICTS, SEEN)},
}
CASES["dict changed in a loop"] = HEAD + LOOP
CASES |= {
    f"iterator {n}, {p}": f"{HEAD}{made}\nit = iter(list(v0))\n{part}\nv1 = list(it)\n"
    for n, made in LISTS.items()
    for p, part in READ_IN_PART.items()
}
