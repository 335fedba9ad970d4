"""Random Python programs: statements with aliases, mutation through calls, branches, loops, classes and exceptions."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from textwrap import indent

from tests.fuzz.expressions import TYPES, Expressions, Scope

PRELUDE = """\
import copy, functools, json, os
FLAG = os.environ.get("PD_A")
"""


class Programs:
    """One random program; ``unsure`` lets it depend on environment variables that nobody knows."""

    def __init__(self, random: Random, *, unsure: bool) -> None:
        self.random = random
        self.draw = Expressions(random, unsure=unsure)
        self.scope = Scope()
        self.level = 0
        self.pending: list[tuple[str, str]] = []

    def text(self, statements: int) -> str:
        lines = [PRELUDE, "v0 = [1, 2]", "s0 = 'start'", "d0 = {'a': 1}"]
        for kind, name in (("ints", "v0"), ("str", "s0"), ("dict", "d0")):
            self.scope.add(kind, name)
        lines += [self.statement() for _ in range(statements)]
        return "\n".join(lines) + "\n"

    def statement(self) -> str:
        simple = (self.assign, self.assign, self.mutate, self.mutate, self.alias, self.unpack, self.augment)
        compound = (
            *(self.branch, self.loop, self.attempt, self.match, self.repeat, self.mutating_call, self.in_place),
            *(self.placed, self.ordered),
        )
        blocks = (self.function, self.klass, self.closure, self.generator)
        kinds: tuple[Callable[[], str], ...] = simple
        chance = self.random.random()
        if self.level < 2 and chance < 0.45:
            kinds = compound if self.level or chance < 0.25 else blocks
        outer, self.pending = self.pending, []
        text = self.random.choice(kinds)()
        for kind, name in self.pending:
            self.scope.add(kind, name)
        self.pending = outer
        return text

    def body(self, count: int = 2) -> str:
        """A nested block; what it binds is not used after it."""
        kept, self.scope = self.scope, self.scope.copy()
        self.level += 1
        lines = [self.statement() for _ in range(self.random.randint(1, count))]
        self.level -= 1
        self.scope = kept
        return indent("\n".join(lines), "    ")

    def new(self, kind: str) -> str:
        """A name that can be used from the next statement on."""
        name = self.draw.name("v")
        self.pending.append((kind, name))
        return name

    def of(self, kind: str, depth: int = 2) -> str:
        return self.draw.of(kind, self.scope, depth)

    def any_of(self, kind: str) -> str:
        """A variable of a type, made if there is none."""
        names = self.scope.names.get(kind)
        return self.random.choice(names) if names else ""

    # --- simple statements --------------------------------------------------------------------------------------------

    def assign(self) -> str:
        kind = self.random.choice(TYPES)
        value = self.of(kind)
        if self.random.random() < 0.1:
            return f"{self.new(kind)} = {self.new(kind)} = {value}"
        return f"{self.new(kind)} = {value}"

    def rebind(self) -> str:
        kind = self.random.choice([kind for kind, names in self.scope.names.items() if names])
        return f"{self.any_of(kind)} = {self.of(kind)}"

    def alias(self) -> str:
        kind = self.random.choice(("ints", "dict", "table", "strs"))
        source = self.any_of(kind)
        if not source:
            return self.assign()
        if kind == "ints" and self.random.random() < 0.5:
            name = self.new("table")
            return f"{name} = {{'k': {source}, 'a': {source}}}"
        return f"{self.new(kind)} = {source}"

    def mutate(self) -> str:
        kind = self.random.choice(("ints", "dict", "strs", "table", "set", "rebind"))
        if kind == "rebind":
            return self.rebind()
        name = self.any_of(kind)
        if not name:
            return self.assign()
        if kind == "ints":
            return self.random.choice(
                (
                    *(f"{name}.append({self.of('int')})", f"{name}.extend({self.of('ints')}[:5])"),
                    f"{name}.insert({self.random.randint(-1, 3)}, {self.of('int')})",
                    *(f"{name}[:1] = {self.of('ints')}[:4]", f"if {name}: {name}.pop({self.draw.pick('', '0', '-1')})"),
                    *(f"if {name}: {name}[0] = {self.of('int')}", f"{name}.sort(reverse={self.of('bool', 1)})"),
                    *(f"{name}.reverse()", f"del {name}[1:3]", f"if 2 in {name}: {name}.remove(2)"),
                    f"{name}.sort(key=lambda x: x % 3)",
                )
            )
        if kind == "strs":
            return self.draw.pick(
                f"{name}.append({self.of('str')})", f"{name} += [{self.of('str')}]", f"{name}.clear()"
            )
        if kind == "dict":
            return self.random.choice(
                (
                    *(f"{name}[{self.draw.key()}] = {self.of('int')}", f"{name}.update({self.of('dict')})"),
                    *(f"{name}.update(q={self.of('int')})", f"{name}.setdefault({self.draw.key()}, {self.of('int')})"),
                    *(f"{name}.pop({self.draw.key()}, None)", f"if 'a' in {name}: del {name}['a']"),
                    *(f"{name} |= {self.of('dict')}", f"if {name}: {name}.popitem()"),
                )
            )
        if kind == "table":
            return self.random.choice(
                (
                    f"{name}.setdefault({self.draw.key()}, []).append({self.of('int')})",
                    f"for row in {name}.values(): row.append({self.of('int', 1)})",
                    f"{name}['k'] = {self.of('ints', 0)}",
                )
            )
        return self.draw.pick(f"{name}.add({self.of('int')})", f"{name}.discard(1)", f"{name} |= {self.of('set')}")

    def unpack(self) -> str:
        first, rest, value = self.new("int"), self.new("ints"), self.of("ints")
        if self.random.random() < 0.5:
            return f"{first}, *{rest} = [{self.of('int', 0)}, *{value}]"
        return (
            f"({first}, _), {rest} = {self.of('pair')}[::-1], {value}"
            if self.random.random() < 0.5
            else (f"*{rest}, {first} = *{value}, {self.random.randint(0, 9)}")
        )

    def augment(self) -> str:
        kind = self.random.choice(("int", "str", "ints"))
        name = self.any_of(kind)
        if not name:
            return self.assign()
        if kind == "str":
            return f"{name} = ({name} + {self.of('str', 1)})[:60]"
        if kind == "ints":
            # A part of it: a list that is added to itself in nested loops fills the memory.
            return f"{name} += {self.of(kind, 1)}[:6]"
        return f"{name} {self.draw.pick('+=', '+=', '*=')} {self.of(kind, 1)}; {name} %= 1009"

    # --- compound statements ------------------------------------------------------------------------------------------

    def branch(self) -> str:
        condition = self.of("bool")
        if self.random.random() < 0.2:
            walrus = self.draw.name("w")
            condition = f"({walrus} := {self.of('int')}) > 2 and {condition} or {walrus} == 1"
        text = f"if {condition}:\n{self.body()}"
        if self.random.random() < 0.3:
            text += f"\nelif {self.of('bool')}:\n{self.body()}"
        return text + (f"\nelse:\n{self.body()}" if self.random.random() < 0.6 else "")

    def loop(self) -> str:
        name, kept = self.draw.name("i"), self.scope
        self.scope = self.scope.copy()
        over = self.draw.pick(
            *(f"{self.of('ints')}[:5]", f"range({self.random.randint(1, 4)})", f"list({self.of('dict')}.values())"),
            f"[n for _, n in enumerate({self.of('ints', 1)}[:4])]",
        )
        self.scope.add("int", name)
        body = self.body(3)
        leave = self.draw.pick("", f"    if {name} > {self.of('int', 0)}: {self.draw.pick('break', 'continue')}\n")
        self.scope = kept
        tail = f"\nelse:\n{self.body(1)}" if self.random.random() < 0.2 else ""
        return f"for {name} in {over}:\n{leave}{body}{tail}"

    def repeat(self) -> str:
        name = self.new("int")
        stop = self.random.randint(1, 4)
        return f"{name} = 0\nwhile {name} < {stop}:\n    {name} += 1\n{self.body(1)}\n{name} = {stop}"

    def attempt(self) -> str:
        risky = self.draw.pick(
            *(f"[1, 2][{self.of('int', 1)}]", f"{self.of('dict', 1)}[{self.draw.key()}]", f"int({self.of('str', 1)})"),
            *(f"1 // {self.of('int', 1)}", f"len({self.draw.pick('3', '[3]')})"),
            *(f"None.{self.draw.pick('x', '__class__')} and 2", f"{self.of('ints', 1)}.index({self.of('int', 0)})"),
        )
        name = self.new("int")
        error = self.draw.pick("Exception", "(KeyError, IndexError)", "ValueError", "LookupError")
        catch = f"except {error}{self.draw.pick('', ' as error')}:\n    {name} = -5\n{self.body(1)}"
        rest = "" if error == "Exception" else f"\nexcept BaseException:\n    {name} = -7"
        tail = self.draw.pick("", f"\nelse:\n{self.body(1)}", f"\nfinally:\n{self.body(1)}")
        return f"try:\n{self.body(1)}\n    {name} = {risky}\n{catch}{rest}{tail}"

    def match(self) -> str:
        name = self.new("str")
        subject = self.of(self.random.choice(("int", "str", "ints", "dict", "pair")))
        cases = [
            *(f"case 1 | 2: {name} = 'small'", f"case [first, *others]: {name} = f'{{first}} {{len(others)}}'"),
            f"case {{'a': value, **more}}: {name} = f'{{value}} {{sorted(more)}}'",
            *(f"case str() as word if word: {name} = word", f"case (left, int(right)): {name} = str(left)"),
            f"case int(): {name} = 'int'",
        ]
        self.random.shuffle(cases)
        chosen = "\n".join(f"    {case}" for case in cases[:3])
        return f"match {subject}:\n{chosen}\n    case _: {name} = 'other'"

    def in_place(self) -> str:
        name = self.new("table")
        return self.draw.pick(
            f"{name} = dict.fromkeys('ab', [])\n{name}['a'].append({self.of('int', 1)})",
            f"{name} = {{'k': [[]] * 2}}\n{name}['k'][0].append(1)\n{name} = {{'k': {name}['k'][1]}}",
            f"{name} = {{'k': {self.of('ints', 0)}}}\n{name}_b = {name}.copy()\n{name}_b['k'].append(4)\ndel {name}_b",
            f"{name} = {{'k': {self.of('ints', 0)}}}\n{name}_b = copy.deepcopy({name})\n{name}_b['k'].append(4)",
        )

    def mutating_call(self) -> str:
        name, target = self.draw.name("f"), self.any_of("ints")
        if not target:
            return self.assign()
        body = self.draw.pick(
            *("    items.append(n)\n    items = [n]\n    return items", "    items += [n]\n    return items"),
            *("    items = items + [n]\n    return items", "    items.sort()\n    return list(items)"),
            "    for x in list(items):\n        if x == n:\n            items.remove(x)\n    return items",
        )
        result = self.new("ints")
        head = f"def {name}(items, n={self.random.randint(0, 5)}):"
        return f"{head}\n{body}\n{result} = {name}({target}, {self.of('int', 1)})"

    def placed(self) -> str:
        """A list that may hold more, or be in another order, and what stands where in it."""
        name, result = self.new("ints"), self.new("int")
        source, number, sure = self.of("ints", 1), self.of("int", 0), self.of("bool", 1)
        made = self.draw.pick(
            f"{name} = list({source})[:5]\nfor _ in range({self.count()}): {name}.append({number})",
            f"{name} = list({source})[:5]\n{name}.sort(reverse={sure})",
            f"{name} = [{number}, *{source}[:{self.count()}], 5]",
            f"{name} = list({source})[:5]\nif {sure}: {name}.insert(0, {number})",
        )
        more = self.draw.pick(
            *("pass", f"{name}.append({number})", f"{name} += [{number}, 3]", f"{name} = [*{name}, {number}]"),
            f"{name}.reverse()",
        )
        asked = self.draw.pick(
            *(f"[*{name}, -1][0]", f"next(iter({name}), -1)", f"next((x for x in {name} if x > 1), -1)"),
            *(f"dict(enumerate({name})).get(1, -1)", f"(lambda a=0, *b: a)(*{name})"),
            *(f"sum(i * x for i, x in enumerate({name})) % 1009", f"functools.reduce(lambda a, b: a or b, {name}, 0)"),
        )
        return f"{made}\n{more}\n{result} = {asked}"

    def ordered(self) -> str:
        """A dict that may hold more, or be in another order, and what order its keys are in."""
        name, result = self.new("dict"), self.new("str")
        source, number, sure = self.of("dict", 1), self.of("int", 0), self.of("bool", 1)
        made = self.draw.pick(
            f"{name} = dict({source})\nif {sure}: {name}[{self.draw.key()}] = {number}",
            f"{name} = dict({source})\nif {sure}: {name}.pop({self.draw.key()}, 0)",
            f"{name} = {{'a': 1, **{source}}}\nfor _ in range({self.count()}): {name}['a'] = {name}.pop('a', 2)",
            f"{name} = {{}}\nif {sure}: {name}.update(a=1, b=2)\nelse: {name}.update(b=2, a=1)",
        )
        more = self.draw.pick(
            *("pass", f"{name}[{self.draw.key()}] = {number}", f"{name} = {{**{name}, {self.draw.key()}: {number}}}"),
            f"{name}.setdefault({self.draw.key()}, {number})",
        )
        asked = self.draw.pick(
            *(f"' '.join({name})", f"next(iter({name}), '')", f"json.dumps({name})", f"str(list({name}.items())[:1])"),
            f"(lambda a=0, **k: f'{{a}} {{list(k)}}')(**{{k: v for k, v in {name}.items() if k.isidentifier()}})",
        )
        return f"{made}\n{more}\n{result} = {asked}"

    def count(self) -> str:
        """A small number."""
        return "int(os.environ.get('PD_B') or 0)" if self.draw.unsure else str(self.random.randint(0, 3))

    # --- definitions --------------------------------------------------------------------------------------------------

    def function(self) -> str:
        name, kind = self.draw.name("f"), self.random.choice(("int", "str", "ints", "dict"))
        kept, self.scope = self.scope, self.scope.copy()
        self.scope.functions = {}
        form = self.random.randint(0, 3)
        head, entry = (
            ("a, b=2", "(int,?b=int)"),
            ("a, *rest", "(int,*ints)"),
            ("a, /, *, b: int = 3, c='x'", "(int,?b=int,?c=str)"),
            ("a, seen=[], **more", "(int,?q=int)"),
        )[form]
        self.scope.add("int", "a")
        if form in (0, 2):
            self.scope.add("int", "b")
        if form == 1:
            head, rest = "a, *rest", "    rest = list(rest)\n"
            self.scope.add("ints", "rest")
        else:
            rest = "    seen.append(a)\n" if form == 3 else ""
            if form == 3:
                self.scope.add("ints", "seen")
        early = (
            f"    if {self.of('bool', 1)}:\n        return {self.of(kind, 1)}\n" if self.random.random() < 0.4 else ""
        )
        result = self.of(kind, 2)
        self.scope = kept
        self.scope.functions.setdefault(kind, []).append(name + entry)
        return f"def {name}({head}):\n{rest}{early}    return {result}"

    def closure(self) -> str:
        name, result = self.draw.name("make"), self.new("ints")
        start = self.of("int", 1)
        return self.draw.pick(
            f"def {name}(total):\n    def step(n):\n        nonlocal total\n        total += n\n        return total\n"
            f"    return step\n{name}_s = {name}({start})\n{result} = [{name}_s(1), {name}_s(2), {name}({start})(5)]",
            f"{name} = [lambda: i for i in range(3)]\n{result} = [f() for f in {name}]",
            f"{name} = [lambda x, i=i: x + i for i in range(3)]\n{result} = [f({start}) for f in {name}]",
            f"def {name}(f):\n    @functools.wraps(f)\n    def inner(*args, **kwargs):\n"
            f"        return [f(*args, **kwargs), len(args)]\n    return inner\n@{name}\ndef {name}_d(a, b=1):\n"
            f"    return a - b\n{result} = {name}_d({start}) + {name}_d({start}, b=3)",
            f"{name} = functools.partial(lambda a, b, c=0: [a, b, c], {start})\n{result} = {name}(2) + {name}(3, c=4)",
            f"{result} = [(y := x + {start}) for x in {self.of('ints', 0)}] + [y if 'y' in globals() else 0]",
            f"def {name}():\n    global {name}_g\n    {name}_g = {start}\n    return [{name}_g]\n{result} = {name}()",
        )

    def generator(self) -> str:
        name, result = self.draw.name("gen"), self.new("ints")
        return (
            f"def {name}(items):\n    for x in items:\n        if x < 0:\n            continue\n        yield x\n"
            f"    yield from items[:1]\n{result} = list({name}({self.of('ints')}))"
        )

    def klass(self) -> str:
        name, count, items = self.draw.name("C"), self.new("int"), self.new("ints")
        shared = self.new("ints")
        sub = f"class {name}S({name}):\n    def double(self):\n        return super().double() + 1\n"
        return (
            f"class {name}:\n    shared = []\n    limit = {self.random.randint(0, 5)}\n"
            f"    def __init__(self, n, *more):\n"
            f"        self.n = n\n        self.items = list(more)\n        self.shared.append(n)\n"
            f"    def double(self):\n        return self.n * 2 + self.limit\n"
            f"    @property\n    def size(self):\n        return len(self.items)\n"
            f"    @classmethod\n    def make(cls, n):\n        return cls(n, n, cls.limit)\n"
            f"    @staticmethod\n    def plus(n):\n        return n + 1\n{sub}"
            f"{name}_o = {name}S({self.of('int', 1)}, 4)\n{name}_p = {name}.make({self.of('int', 1)})\n"
            f"{name}_p.items.append({name}_o.double())\n{self.draw.pick('', f'{name}_o.limit = 9')}\n"
            f"{self.draw.pick('', f'{name}.limit = 7', f'{name}_o.items = {name}_p.items')}\n"
            f"{count} = {name}_o.double() + {name}_p.size + {name}.plus(2)\n"
            f"{items} = {name}_o.items + {name}_p.items\n{shared} = {name}.shared"
        )


def program(seed: int) -> str:
    """The program of a seed: about three in ten depend on environment variables."""
    random = Random(seed)
    return Programs(random, unsure=random.random() < 0.3).text(random.randint(4, 14))
