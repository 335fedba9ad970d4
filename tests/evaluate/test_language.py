# ruff: noqa: E501 - each source stands in one line
"""Programs that the evaluator must compute exactly as Python does: Python itself is the oracle."""

from __future__ import annotations

import json
from textwrap import dedent

import pytest

from pdmigrate.model import Known
from tests.support.program import evaluate_program

PROGRAMS = {
    "a default of three dots is a default, but for pydantic": """
        from dataclasses import dataclass, field
        from typing import Any, NamedTuple
        from pydantic import BaseModel, Field
        @dataclass
        class Plain:
            a: Any = ...
            b: Any = field(default=...)
        class Named(NamedTuple):
            a: Any = ...
        class First(BaseModel):
            a: Any = ...
        class Second(BaseModel):
            a: Any = Field(...)
        class Third(BaseModel):
            a: Any = Field(default=...)
        def made(cls):
            try:
                return str(cls().a)
            except ValueError:
                return "required"
        result = [made(cls) for cls in (Plain, Named, First, Second, Third)]
    """,
    "text literals": r'''result = ["a", 'b\n', r"c\n", """d
e""", "f" "g", b"x" == b"x", "\N{BULLET} \u00e9 \x41"]''',
    "numbers": "result = [1, 0x1F, 1_000, 1.5, -3, +2, ~5, 7 // 2, 7 % 3, -7 // 2, 2 ** 10, 1 << 4, 6 / 4, 6 & 3, 6 | 1, 6 ^ 3]",
    "f-strings": r"""
        n, w, d = 3.14159, 10, {"k": "v"}
        result = [f"{n:.2f}|{n!r:>{w}}|{'x'!s}|{d['k']}|{{}}|\t", f"{1 + 1} \"quoted\" {n:>8.1f}", rf"\d{n:.0f}", f'{"é"!a}']
    """,
    "f-string keeps escapes apart": r'''x = 1; result = f"a\"b{x}\\c{x}" + f"""q"{x}'"""''',
    "percent and format": r"""result = ["%s-%05.1f%%" % ("a", 2.5), "{} {1}".replace("1", "") .format("x", "y"), "{a}-{b:>4}".format(a=1, b="z"), "%(k)s" % {"k": 1}]""",
    "text methods": r"""
        s = "  Hello, World  "
        result = [s.strip().lower(), s.upper().split(","), s.replace("l", "L"), "-".join(["a", "b"]), "a\nb".splitlines(),
                  "abc".startswith("ab"), "x=1".partition("="), "title case".title(), "a".ljust(3) + "|", "abcabc".find("c"),
                  "prefix_x".removeprefix("prefix_"), "abc"[::-1], "abc"[1:], "a,b,,".rsplit(",", 1), "ß".casefold(), "7".zfill(3)]
    """,
    "dedent and cleandoc": '''
        import inspect, textwrap
        from textwrap import dedent as d
        result = [textwrap.dedent("""
            a
              b
        """), d("  x").strip(), inspect.cleandoc("""x
            y
        """)]
    ''',
    "containers and spreads": """
        a = [1, *[2, 3], *(4,), *{5: 0}]
        b = {"x": 1, **{"y": 2, "x": 3}}
        c = b | {"z": a}
        d = (*a, 9)
        result = [a, b, c, list(d), a[1:3], a[-1], b.get("q", "none"), {**b}, "x" in b, 3 in a, 9 not in a, len(d), a + [0], [0] * 3, (1, 2) + (3,)]
    """,
    "aliasing": """
        base = {"type": "object", "properties": {}}
        other = base
        copy = dict(base)
        copy["properties"]["shared"] = 1
        copy["own"] = 2
        other["both"] = 3
        result = [base, copy]
    """,
    "copies": """
        import copy
        base = {"a": [1], "b": {"c": 2}}
        shallow, deep = copy.copy(base), copy.deepcopy(base)
        base["a"].append(2)
        base["d"] = 1
        third = base.copy(); third["e"] = 5
        result = [base, shallow, deep, third]
    """,
    "deepcopy keeps sharing": """
        import copy
        inner = [1]
        made = copy.deepcopy([inner, inner])
        made[0].append(2)
        result = [made, inner]
    """,
    "list methods": """
        a = [3, 1, 2]
        a.append(4); a.extend([5, 6]); a.insert(0, 0); a += [7]; a.remove(1)
        popped = a.pop(); first = a.pop(0)
        b = a.copy(); b.reverse(); c = sorted(a, reverse=True); a.sort()
        d = [1, 2, 3, 4]; del d[1]
        result = [a, popped, first, b, c, a.index(3), a.count(3), d]
    """,
    "dict methods": """
        d = {"a": 1}
        d.update({"b": 2}, c=3); d.setdefault("a", 9); d.setdefault("e", []).append(5)
        gone = d.pop("b"); none = d.pop("zz", None); del d["c"]
        d |= {"m": 1}
        result = [d, gone, none, list(d), list(d.keys()), list(d.values()), [list(p) for p in d.items()], dict.fromkeys(["x", "y"], 0), dict([("k", 1)]), dict(k=2)]
    """,
    "sets": """
        s = {1, 2} | {3}; s.add(4); s.discard(1); t = set([2, 9])
        result = [sorted(s), sorted(s & t), sorted(s - t), sorted(s ^ t), 2 in s, s.issuperset({3}), len(s), sorted(s.union(t))]
    """,
    "comprehensions": """
        table = {"a": [1, 2], "b": [3]}
        result = [[x * 2 for x in range(4) if x % 2], {k: [y for y in v if y > 1] for k, v in table.items()},
                  sorted({len(k) for k in table}), [(a, b) for a in table for b in table[a]], list(x for x in "ab"),
                  [y for x in range(3) if (y := x + 1) > 1], sum(x for x in range(5)), y]
        result = json_ready = [list(item) if isinstance(item, tuple) else item for item in result]
    """,
    "comprehension variables stay inside": """
        x = "outer"
        inner = [x for x in range(2)]
        result = [x, inner]
    """,
    "loops": """
        out = []
        for index, (name, value) in enumerate({"a": 1, "b": 2, "c": 3}.items(), start=1):
            if name == "b":
                continue
            out.append(f"{index}{name}{value}")
        else:
            out.append("else")
        for a, b in zip("xy", [1, 2]):
            out.append([a, b])
            break
        else:
            out.append("not reached")
        n = 0
        while n < 5:
            n += 1
            if n == 3:
                break
        first, *rest = [1, 2, 3]
        *init, last = "abc"
        result = [out, n, first, rest, init, last, list(reversed([1, 2])), list(map(str, [1, 2])), list(filter(None, [0, 1, ""]))]
    """,
    "conditions": """
        x = 5
        if x > 3 and not x == 4:
            kind = "big"
        elif x:
            kind = "small"
        else:
            kind = "zero"
        result = [kind, "a" if x < 3 else "b", x or 1, 0 or "d", None and 1, 1 < x < 9, x is None, x is not None, [] == [], any([0, 1]), all([])]
    """,
    "functions": """
        def f(a, b=2, *args, c, d=4, **kwargs):
            return [a, b, list(args), c, d, kwargs]
        def outer(n):
            total = 0
            def add(x):
                nonlocal total
                total += x
                return total
            add(n); add(n)
            return total
        def g(x, /, y, *, z): return x + y + z
        twice = lambda x, n=2: x * n
        result = [f(1, c=3), f(1, 5, 6, 7, c=8, e=9), f(*[1, 2], **{"c": 1}), outer(4), g(1, y=2, z=3), twice("ab"), (lambda: 7)()]
    """,
    "defaults are made once": """
        def f(x, seen=[]):
            seen.append(x)
            return seen
        f(1)
        result = f(2)
    """,
    "closures see later changes": """
        functions = []
        for i in range(3):
            functions.append(lambda: i)
        kept = [lambda i=i: i for i in range(3)]
        result = [[f() for f in functions], [f() for f in kept]]
    """,
    "generators": """
        def numbers():
            yield 1
            yield from [2, 3]
            for x in range(2):
                yield x
        g = numbers()
        result = [next(g), list(g), list(g), sum(numbers()), next(iter([]), "none")]
    """,
    "recursion": """
        def strip(schema):
            if isinstance(schema, dict):
                return {k: strip(v) for k, v in schema.items() if k != "title"}
            if isinstance(schema, list):
                return [strip(x) for x in schema]
            return schema
        def fact(n): return 1 if n <= 1 else n * fact(n - 1)
        result = [strip({"title": 1, "a": {"title": 2, "b": [{"title": 3, "c": 4}]}}), fact(10)]
    """,
    "classes": """
        class Base:
            kind = "base"
            registry = []
            def __init__(self, name, *, size=1):
                self.name, self.size = name, size
                self.registry.append(name)
            @property
            def label(self): return f"{self.kind}:{self.name}"
            @classmethod
            def make(cls, name): return cls(name, size=2)
            @staticmethod
            def helper(x): return x + 1
            def describe(self): return self.label
        class Child(Base):
            kind = "child"
            def __init__(self):
                super().__init__("kid", size=3)
            def describe(self): return super().describe() + "!"
        b, c = Base.make("b"), Child()
        result = [b.label, c.describe(), b.size, c.size, Base.registry, Base.helper(1), c.helper(2), isinstance(c, Base), type(c).__name__, c.__class__.__name__, Child.kind, hasattr(c, "nope"), getattr(c, "nope", "default"), issubclass(Child, Base)]
    """,
    "multiple inheritance": """
        class A:
            def who(self): return ["A"]
        class B(A):
            def who(self): return ["B", *super().who()]
        class C(A):
            def who(self): return ["C", *super().who()]
        class D(B, C):
            def who(self): return ["D", *super().who()]
        result = D().who()
    """,
    "special methods": """
        class Bag:
            def __init__(self): self.items = {}
            def __setitem__(self, k, v): self.items[k] = v
            def __getitem__(self, k): return self.items[k]
            def __len__(self): return len(self.items)
            def __iter__(self): return iter(self.items)
            def __contains__(self, k): return k in self.items
            def __call__(self, x): return x * 2
            def __str__(self): return "bag"
            def __add__(self, other): return "added"
            def __eq__(self, other): return True
            def __bool__(self): return False
            def __getattr__(self, name): return f"missing {name}"
        b = Bag(); b["x"] = 1
        result = [b["x"], len(b), list(b), "x" in b, "y" in b, b(4), str(b), f"{b}", b + 1, b == 3, bool(b), b.other]
    """,
    "enums": """
        from enum import Enum, IntEnum, auto
        class Color(str, Enum):
            RED = "red"
            BLUE = "blue"
            CRIMSON = "red"
        class Level(Enum):
            LOW = auto()
            HIGH = auto()
            @property
            def label(self): return self.name.lower()
        class Num(IntEnum):
            ONE = 1
        result = [Color.RED, Color.RED.value, Color.BLUE.name, [c.value for c in Color], Color("blue").name, Color["RED"].value, Color.CRIMSON is Color.RED, Color.RED == "red", Level.LOW.value, Level.HIGH.label, len(Level), Color.RED in ("red",), list(Color.__members__), Num.ONE + 1, Color.RED.upper(), {Color.RED: 1}["red"], str(Level.LOW), isinstance(Color.RED, str)]
    """,
    "dataclasses": """
        from dataclasses import dataclass, field, replace, asdict, fields
        @dataclass(kw_only=False)
        class Param:
            name: str
            type: str = "string"
            tags: list = field(default_factory=list)
        @dataclass
        class Spec(Param):
            extra: dict = field(default_factory=dict)
            def __post_init__(self):
                self.extra["n"] = self.name
        p, q = Param("a"), Param("b", "int", tags=["x"])
        r = replace(q, name="c")
        s = Spec("s")
        result = [p.name, p.type, p.tags, q.tags, asdict(r), r.name, q.name, s.extra, asdict(s), [f.name for f in fields(Spec)]]
    """,
    "named tuples": """
        from typing import NamedTuple
        class P(NamedTuple):
            x: int
            y: str = "d"
            def both(self): return f"{self.x}{self.y}"
        a, b = P(1), P(2, y="e")
        n, m = b
        result = [a.x, a.y, b[1], n, m, b.both(), list(a), len(a)]
    """,
    "functools": """
        from functools import partial, lru_cache, wraps
        def tag(prefix, text, end="."): return prefix + text + end
        hello = partial(tag, "hello ", end="!")
        @lru_cache(maxsize=None)
        def cached(x): return x + 1
        def deco(fn):
            @wraps(fn)
            def inner(*args, **kwargs):
                return ["wrapped", fn.__name__, fn(*args, **kwargs)]
            return inner
        @deco
        def plain(x):
            "doc"
            return x
        result = [hello("you"), cached(1), plain(2), plain.__name__, plain.__doc__]
    """,
    "registering decorators": '''
        TOOLS = {}
        def tool(name=None, **meta):
            def register(fn):
                TOOLS[name or fn.__name__] = {"doc": fn.__doc__.strip(), **meta}
                return fn
            return register
        @tool("first", level=1)
        def a(): """ A tool. """
        @tool()
        def second(): "Second."
        result = TOOLS
    ''',
    "exceptions": """
        out = []
        try:
            {}["missing"]
        except KeyError:
            out.append("key")
        else:
            out.append("else")
        finally:
            out.append("finally")
        try:
            try:
                raise ValueError("x")
            finally:
                out.append("inner")
        except (TypeError, ValueError):
            out.append("caught")
        class Mine(Exception): pass
        try:
            raise Mine()
        except Exception:
            out.append("mine")
        def f():
            try:
                return "try"
            finally:
                out.append("f")
        try:
            int("x")
        except ValueError:
            out.append("int")
        result = [out, f()]
    """,
    "match": """
        def kind(x):
            match x:
                case 0: return "zero"
                case "a" | "b": return "letter"
                case None: return "none"
                case s if len(str(s)) > 3: return "long"
                case _: return "other"
        result = [kind(0), kind("b"), kind("bcde"), kind(None), kind(3.5)]
    """,
    "global state": """
        count = 0
        def bump():
            global count
            count += 1
            return count
        bump(); bump()
        result = count
    """,
    "json": """
        import json
        result = [json.loads('{"a": [1, null, true]}'), json.dumps({"b": 1, "a": [1.5, None]}, sort_keys=True), json.dumps({"x": "é"}, indent=2, ensure_ascii=False)]
    """,
    "collections": """
        from collections import OrderedDict, defaultdict
        from itertools import chain
        from operator import itemgetter, attrgetter
        d = defaultdict(list); d["a"].append(1)
        o = OrderedDict(); o["z"] = 1; o["y"] = 2
        result = [d, list(o), list(chain([1], [2])), list(chain.from_iterable([[1], [2]])), sorted([{"n": 2}, {"n": 1}], key=itemgetter("n")), max(1, 3), min([2, 1]), abs(-1), round(2.5), divmod(7, 2)[0], ord("a"), chr(98)]
    """,
    "walrus and chained assignment": """
        a = b = []
        a.append(1)
        if (n := len(a)) > 0:
            c = n
        x: int = 3
        y: str
        result = [a, b, c, x]
    """,
    "class bodies": """
        class Config:
            A = 1
            B = A + 1
            names = [n for n in ("x", "y")]
            class Inner:
                value = 5
            def method(self): return self.Inner.value
        result = [Config.B, Config.names, Config.Inner.value, Config().method()]
    """,
    "init subclass registers": """
        class Handler:
            registry = {}
            def __init_subclass__(cls, key=None, **kwargs):
                super().__init_subclass__(**kwargs)
                Handler.registry[key or cls.__name__] = cls
        class A(Handler): pass
        class B(Handler, key="bee"): pass
        result = sorted(Handler.registry)
    """,
    "singleton by new": """
        class One:
            _instance = None
            def __new__(cls):
                if cls._instance is None:
                    cls._instance = super().__new__(cls)
                    cls._instance.items = []
                return cls._instance
        One().items.append(1); One().items.append(2)
        result = One().items
    """,
    "async helpers": """
        import asyncio
        async def part(x): return x * 2
        async def whole():
            return [await part(1), *(await asyncio.gather(part(2), part(3)))]
        result = asyncio.run(whole())
    """,
    "cached property and setter": """
        from functools import cached_property
        class C:
            def __init__(self): self.calls = 0; self._v = 1
            @cached_property
            def once(self):
                self.calls += 1
                return self.calls
            @property
            def v(self): return self._v
            @v.setter
            def v(self, value): self._v = value * 10
        c = C(); c.once; c.once; c.v = 2
        result = [c.once, c.calls, c.v]
    """,
    "string building in a loop": """
        text = ""
        for line in ["a", "b"]:
            text += f"- {line}\\n"
        result = text
    """,
    "star expressions in returns and index tuples": """
        def f(): return 1, 2
        a, b = f()
        table = {(1, "x"): "hit"}
        result = [a, b, table[1, "x"], table[(1, "x")]]
    """,
    "iterators compute when they are asked": """
        items, n = [1], 1
        late = (x + n for x in items)
        mapped, kept, pairs = map(str, items), filter(None, items), enumerate(items)
        view = {"a": 1}
        keys = view.keys()
        items.append(2); n = 10; view["b"] = 2
        seen = []
        def g():
            seen.append("g")
            yield 1
        g(); made = g()
        before = list(seen)
        result = [list(late), list(mapped), list(kept), [list(p) for p in pairs], list(keys), before, list(made), seen]
    """,
    "iterators read in part": """
        it = iter([1, 2, 3, 4])
        found = 2 in it
        pair = list(zip(it, it))
        other = iter([1, 2, 3])
        first = any(x > 0 for x in [1, 2])
        result = [found, [list(p) for p in pair], list(it), next(other), list(other), first, bool(x for x in [])]
    """,
    "loops see what they add": """
        grown = [1, 2]
        for x in grown:
            if len(grown) < 6:
                grown.append(x * 2)
        d = {"a": 1}
        try:
            for k in d:
                d[k + "x"] = 1
            failed = False
        except RuntimeError:
            failed = True
        result = [grown, failed]
    """,
    "ranges and views are no lists": """
        result = [isinstance(range(3), (list, tuple)), isinstance({}.keys(), list), list(range(5)[1:3]), {"a": 1}.keys() == ["a"] if False else None]
    """,
    "signatures": """
        import inspect
        from typing import Literal, get_type_hints
        class C:
            def f(self, a: str, b: Literal["x"] = "x", *args, c: int = 5, **kw) -> dict:
                \"\"\"Doc.

                    More.
                \"\"\"
        s = inspect.signature(C().f)
        E = inspect.Parameter.empty
        result = [list(s.parameters), [p.default is E for p in s.parameters.values()], [p.annotation is str for p in s.parameters.values()],
                  [str(p) for p in s.parameters.values()], inspect.getdoc(C.f), sorted(get_type_hints(C.f)), inspect.iscoroutinefunction(C.f),
                  [p.name for p in s.parameters.values() if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]]
    """,
    "regular expressions": r"""
        import re
        P = re.compile(r"(?P<key>\w+)=(\d+)", re.I)
        m = P.match("abc=12")
        result = [re.sub(r"\s+", " ", "a  b"), re.split(r",\s*", "a, b,c"), m.group("key"), list(m.groups()), m[2], re.findall("[a-z]", "aBc"),
                  re.sub(r"(?<!^)(?=[A-Z])", "_", "CamelCase").lower(), P.sub(lambda f: f[1], "x=1"), re.search("z", "a"), bool(re.fullmatch("a", "a")), re.escape("a.b")]
    """,
    "regular expressions on long texts": r"""
        import re
        TEXT = "a  word,\n" * 3000
        result = [len(re.sub(r"\s+", " ", TEXT)), len(re.findall(r"[a-z]+", TEXT)), len(re.sub(r"(\s*)", "", TEXT)),
                  re.fullmatch(r"(?:a\s*)", TEXT), len(re.split(r",\s+", TEXT)), bool(re.match(r"^a\s+", TEXT))]
    """,
    "parts of an address": """
        from urllib.parse import urlparse, urlsplit
        one, two = urlsplit("https://some:one@Example.com:8080/a;b?c=d#e"), urlparse("mailto:x")
        result = [one.hostname, one.port, one.username, one.password, one.netloc, two.hostname, two.port, list(one), two.path,
                  list(urlparse("http://h/p;q?r#s")), one.index("https")]
    """,
    "formats": """
        x = 5
        result = [f"{x=} { x + 1 = :>4}", "{0!r:>5} {1} {2:{w}}".format("b", 5, "z", w=3), "{} {!s:>{}}".format(1, 2, 3)]
    """,
    "named tuples as values": """
        from typing import NamedTuple
        class P(NamedTuple):
            x: int
            y: int = 2
        result = [list(P(1)), P(1).y, P(y=5, x=1).y, P(1) == (1, 2), len(P(1)), P(3)[0]]
    """,
    "frozen sets": """
        s = frozenset({1, 2})
        result = [sorted(s | {3}), isinstance(s, set), hasattr(s, "add"), sorted(s)]
    """,
}


def really(source: str) -> object:
    namespace: dict[str, object] = {"__name__": "builtins"}
    exec(compile(source, "program.py", "exec", dont_inherit=True), namespace)
    return json.loads(json.dumps(namespace["result"]))


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_evaluates_as_python_does(source: str) -> None:
    source = dedent(source).strip("\n") + "\n"
    value = evaluate_program(source)
    assert isinstance(value, Known), value
    assert json.loads(json.dumps(value.value)) == really(source)
