"""Random Python expressions of a wanted type, over the variables that are in scope.

The types are loose shapes (``int``, ``str``, ``bool``, ``ints``, ``strs``, ``dict`` of ints, ``table`` of lists,
``pair``, ``set``), so that most programs run to their end and disagreements are about values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

TYPES = ("int", "str", "bool", "ints", "strs", "dict", "table", "pair", "set")
WORDS = ("a", "bc", "Def", "x-y", "", "  pad ", "éß", "%d", "{}", "tab\\t", "it's", 'q"q', "one two", "K9", "a,b,,c")
KEYS = ("a", "b", "k", "z", "one two")


@dataclass
class Scope:
    """The names that an expression may use, by type; functions by the type of their result."""

    names: dict[str, list[str]] = field(default_factory=dict)
    functions: dict[str, list[str]] = field(default_factory=dict)

    def copy(self) -> Scope:
        return Scope({k: list(v) for k, v in self.names.items()}, {k: list(v) for k, v in self.functions.items()})

    def add(self, kind: str, name: str) -> None:
        for others in self.names.values():
            if name in others:
                others.remove(name)
        self.names.setdefault(kind, []).append(name)


class Expressions:
    """Draws expressions; ``unsure`` lets conditions depend on the environment of the process."""

    def __init__(self, random: Random, *, unsure: bool) -> None:
        self.random = random
        self.unsure = unsure
        self.fresh = 0

    def name(self, prefix: str) -> str:
        self.fresh += 1
        return f"{prefix}{self.fresh}"

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def of(self, kind: str, scope: Scope, depth: int = 2) -> str:
        """An expression of type ``kind``."""
        known = scope.names.get(kind, [])
        chance = self.random.random()
        if known and (chance < 0.4 or depth <= 0):
            return self.random.choice(known)
        if depth <= 0:
            return self.literal(kind)
        if scope.functions.get(kind) and chance < 0.5:
            return self.call(kind, scope, depth)
        make = getattr(self, f"_{kind}")
        text: str = make(scope, depth - 1)
        return text

    def literal(self, kind: str) -> str:
        draw = self.random
        if kind == "int":
            return str(draw.choice((0, 1, 2, 3, 7, -1, 10, 255)))
        if kind == "str":
            return self.word()
        if kind == "bool":
            return draw.choice(("True", "False"))
        if kind == "ints":
            return "[" + ", ".join(str(draw.randint(-3, 9)) for _ in range(draw.randint(0, 4))) + "]"
        if kind == "strs":
            return "[" + ", ".join(self.word() for _ in range(draw.randint(0, 3))) + "]"
        if kind == "dict":
            return "{" + ", ".join(f"{self.key()}: {draw.randint(0, 9)}" for _ in range(draw.randint(0, 3))) + "}"
        if kind == "table":
            return "{" + ", ".join(f"{self.key()}: {self.literal('ints')}" for _ in range(draw.randint(0, 3))) + "}"
        if kind == "pair":
            return f"({self.word()}, {draw.randint(0, 9)})"
        return "{" + ", ".join(str(draw.randint(0, 5)) for _ in range(draw.randint(1, 4))) + "}"

    def word(self) -> str:
        return repr(self.random.choice(WORDS)).replace("\\\\t", "\\t")

    def key(self) -> str:
        return repr(self.random.choice(KEYS))

    def call(self, kind: str, scope: Scope, depth: int) -> str:
        """A call of one of the program's functions; their parameters are written in their entry: ``f(int,*ints)``."""
        entry = self.random.choice(scope.functions[kind])
        name, _, parameters = entry.rstrip(")").partition("(")
        arguments = []
        for parameter in filter(None, parameters.split(",")):
            label, _, wanted = parameter.rpartition("=")
            if label.startswith("?") and self.random.random() < 0.5:
                continue
            label = label.lstrip("?")
            value = self.of(wanted.lstrip("*"), scope, depth - 1)
            stars = wanted[: len(wanted) - len(wanted.lstrip("*"))]
            arguments.append(f"{label}={value}" if label else f"{stars}{value}")
        return f"{name}({', '.join(arguments)})"

    # --- one method a type --------------------------------------------------------------------------------------------

    def _int(self, s: Scope, d: int) -> str:
        a, b = self.of("int", s, d), self.of("int", s, d)
        text, ints, table = self.of("str", s, d), self.of("ints", s, d), self.of("dict", s, d)
        return self.pick(
            *(f"({a} + {b})", f"({a} - {b})", f"({a} * {b}) % 1000", f"({a} // ({b} or 3))", f"({a} % 7)"),
            f"-{a}" if not a.startswith("-") else a,
            *(f"len({text})", f"len({ints})", f"len({self.of('set', s, d)})", f"{table}.get({self.key()}, {a})"),
            *(f"({ints} or [{a}])[{self.pick('0', '-1')}]", f"sum({ints})", f"max({ints}, default={a})"),
            *(f"min({a}, {b}, 5)", f"{text}.count({self.word()})", f"({a} if {self.of('bool', s, d)} else {b})"),
            *(f"({a} or {b})", f"({a} and {b})", f"{self.of('pair', s, d)}[1]", f"int({self.of('bool', s, d)})"),
            *(f"sum(x * {b} for x in {ints} if x > 0) % 997", f"(lambda n, m=2: n + m)({a})", f"sum({table}.values())"),
            *(f"({a} in {ints}) + {b}", f"next((x for x in {ints} if x > 1), {a})"),
        )

    def _str(self, s: Scope, d: int) -> str:
        a, b, n = self.of("str", s, d), self.of("str", s, d), self.of("int", s, d)
        strs = self.of("strs", s, d)
        plain = s.names.get("str", ["''"])[-1]
        number = (s.names.get("int") or ["3"])[-1]
        return self.pick(
            *(f"({a} + {b})", f'f"{{{plain}}}-{{{number}:03d}}"', f'f"{{{plain}!r:>8}}|{{{number}}}|{{{{}}}}"'),
            *(f"f'{{len({plain})}}' f'{{{number}=}}'", f"('%s=%d' % ({a}, {n}))", f"('%(k)s%%' % {{'k': {a}}})"),
            *(f"'{{}}/{{x}}'.format({a}, x={n})", f"'{{0:>6}}|{{0!r}}|{{1[0]}}'.format({a}, [{n}])", f"{a}.upper()"),
            *(f"{a}.replace({self.word()}, {b})[:40]", f"{a}[{self.pick('1:', ':-1', '::-1', '::2', '-2:', '0:1')}]"),
            *(f"str({n})", f"repr({strs})", f"str({self.of('dict', s, d)})", f"({a} * 2)[:30]", f"({a} or {b})"),
            *(f"({a} if {self.of('bool', s, d)} else {b})", f"{a}.partition('-')[{self.pick('0', '1', '2')}]"),
            *(f"({strs} or [{b}])[0]", f"''.join(c for c in {a} if c.isalpha())", f"''.join(sorted({a}))"),
            *(f"{self.of('pair', s, d)}[0]", f"json.dumps({self.of('dict', s, d)}, sort_keys=True)"),
            *(f"type({n}).__name__", f"min([{a}, {b}], key=len)", f"' '.join({a}.split())"),
            f"(str({self.of('bool', s, d)}) + str({self.pick('None', '1.5', '(1,)', '1e3')}))",
        )

    def _bool(self, s: Scope, d: int) -> str:
        if self.unsure and self.random.random() < 0.35:
            return self.pick("bool(os.environ.get('PD_A'))", "os.getenv('PD_B') == '1'", "FLAG is not None")
        a, b = self.of("int", s, d), self.of("int", s, d)
        text, ints = self.of("str", s, d), self.of("ints", s, d)
        return self.pick(
            *(f"({a} < {b})", f"({a} == {b})", f"({a} <= {b} < {a} + 3)", f"({a} in {ints})"),
            *(f"({self.word()} not in {text})", f"({self.key()} in {self.of('dict', s, d)})"),
            *(f"(not {self.of('bool', s, d)})", f"({self.of('bool', s, d)} and {self.of('bool', s, d)})"),
            f"({self.of('bool', s, d)} or {self.of('bool', s, d)})",
            f"isinstance({self.of(self.pick('int', 'str', 'ints'), s, d)}, {self.pick('int', '(list, str)', 'bool')})",
            *(f"{text}.startswith({self.word()})", f"any(x > 2 for x in {ints})", f"all({ints})"),
            *(f"({ints} == {self.of('ints', s, d)})", f"({text} is None)", f"bool({self.of('strs', s, d)})"),
            *(f"({self.of('set', s, d)} <= {self.of('set', s, d)})", f"({text} < {self.of('str', s, d)})"),
            f"({self.of('pair', s, d)} > {self.of('pair', s, d)})",
        )

    def _ints(self, s: Scope, d: int) -> str:
        a, b, n = self.of("ints", s, d), self.of("ints", s, d), self.of("int", s, d)
        return self.pick(
            *(f"[{n}, *{a}]", f"({a} + {b})", f"[x + {n} for x in {a} if x % 2]"),
            f"[x * y for x in {a} for y in {b}][:6]",
            f"list(range({self.random.randint(0, 3)}, {self.random.randint(2, 7)}, {self.pick('1', '2')}))",
            *(f"sorted({a}, reverse={self.of('bool', s, d)})", f"sorted({a}, key=lambda x: -x)"),
            *(f"{a}[{self.pick('1:', ':2', '::-1', '-2:', ':')}]", f"list(map(lambda x: x - 1, {a}))"),
            *(f"list(filter(None, {a}))", f"list(reversed({a}))", f"copy.deepcopy({a})"),
            *(f"list({self.of('dict', s, d)}.values())", f"[len(w) for w in {self.of('strs', s, d)}]"),
            *(f"sorted({self.of('set', s, d)})", f"({a} or {b})", f"({a} if {self.of('bool', s, d)} else {b})"),
            *(f"[i * x for i, x in enumerate({a})]", f"[x + y for x, y in zip({a}, {b})]"),
            *(f"{self.of('table', s, d)}.get({self.key()}, {a})", f"([{n}] * 3)"),
            *(f"[j for row in {self.of('table', s, d)}.values() for j in row]", f"list(dict.fromkeys({a}))"),
        )

    def _strs(self, s: Scope, d: int) -> str:
        a, text = self.of("strs", s, d), self.of("str", s, d)
        return self.pick(
            *(f"[{text}, *{a}]", f"[w.upper() for w in {a}]", f"[f'{{i}}:{{w}}' for i, w in enumerate({a}, 1)]"),
            *(f"{text}.split({self.pick('', repr('-'), repr(','))})", f"list({self.of('dict', s, d)})"),
            *(f"sorted({a}, key=len)", f"sorted({a})", f"{a}[::-1]", f"list({text})[:4]"),
            *(f"[str(x) for x in {self.of('ints', s, d)}]", f"({a} + {self.of('strs', s, d)})"),
            *(f"[k for k, v in {self.of('dict', s, d)}.items() if v > 1]", f"[w for w in {a} if w]"),
            *(f"list(map(str, {self.of('ints', s, d)}))", f"[{text} if {self.of('bool', s, d)} else 'no']"),
        )

    def _dict(self, s: Scope, d: int) -> str:
        a, b, n = self.of("dict", s, d), self.of("dict", s, d), self.of("int", s, d)
        return self.pick(
            *(f"{{**{a}, {self.key()}: {n}}}", f"{{{self.key()}: {n}, **{b}}}", f"({a} | {b})"),
            *(f"dict(a={n}, **{{'b': 2}})", f"dict({a}, z={n})", f"{{w: len(w) for w in {self.of('strs', s, d)}}}"),
            f"dict(zip({self.of('strs', s, d)}, {self.of('ints', s, d)}))",
            *(f"{{k: v + 1 for k, v in {a}.items() if v}}", f"dict(sorted({a}.items()))", f"copy.deepcopy({a})"),
            *(f"{a}.copy()", f"dict.fromkeys({self.of('strs', s, d)}, {n})"),
            f"({a} if {self.of('bool', s, d)} else {b})",
            *(f"{{k: len(v) for k, v in {self.of('table', s, d)}.items()}}", f"json.loads(json.dumps({a}))"),
        )

    def _table(self, s: Scope, d: int) -> str:
        a, ints = self.of("table", s, d), self.of("ints", s, d)
        return self.pick(
            *(f"{{{self.key()}: {ints}, **{a}}}", f"{{k: {ints} for k in {self.of('strs', s, d)}}}"),
            *(f"dict.fromkeys({self.of('strs', s, d)}, {ints})", f"copy.deepcopy({a})", f"dict({a})"),
            *(f"{{k: [*v, 1] for k, v in {a}.items()}}", f"({a} | {{{self.key()}: {ints}}})"),
        )

    def _pair(self, s: Scope, d: int) -> str:
        return self.pick(
            f"({self.of('str', s, d)}, {self.of('int', s, d)})",
            f"max({self.of('dict', s, d)}.items(), default=('', 0))",
            f"tuple([{self.of('str', s, d)}, {self.of('int', s, d)}])",
            f"({self.of('pair', s, d)} if {self.of('bool', s, d)} else ('q', 2))",
            f"next(iter({self.of('dict', s, d)}.items()), ('n', 0))",
        )

    def _set(self, s: Scope, d: int) -> str:
        a, b = self.of("set", s, d), self.of("set", s, d)
        return self.pick(
            *(f"({a} | {b})", f"({a} & {b})", f"({a} - {b})", f"({a} ^ {b})", f"set({self.of('ints', s, d)})"),
            *(f"{{x % 3 for x in {self.of('ints', s, d)}}}", f"{a}.union({self.of('ints', s, d)})"),
        )
