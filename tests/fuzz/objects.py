"""Random programs whose classes define what operators, attributes, blocks and class statements do."""

from __future__ import annotations

from random import Random
from textwrap import indent

from tests.fuzz.statements import Programs

_NAMES = ("add", "sub", "mul", "matmul", "floordiv", "mod", "pow", "lshift", "and", "or", "xor")
OPERATORS = dict(zip(_NAMES, ("+", "-", "*", "@", "//", "%", "**", "<<", "&", "|", "^"), strict=True))
ORDER = {"eq": "==", "ne": "!=", "lt": "<", "gt": ">", "le": "<=", "ge": ">="}


class Objects(Programs):
    """Every method that such a program calls notes its name in a list, which is a variable of the program."""

    def statement(self) -> str:
        if self.level >= 2 or self.random.random() > 0.4:
            return super().statement()
        kinds = (self.operators, self.comparisons, self.attributes, self.leaving, self.classes, self.items)
        outer, self.pending = self.pending, []
        text = self.random.choice(kinds)()
        for kind, name in self.pending:
            self.scope.add(kind, name)
        self.pending = outer
        return text

    def sure(self) -> str:
        return self.of("bool", 1)

    def answer(self, classes: list[str]) -> str:
        """What a method of an operator ends with."""
        return self.draw.pick(
            *("return NotImplemented", "return NotImplemented", "return self", f"return {self.random.randint(0, 3)}"),
            f"return NotImplemented if isinstance(other, {self.random.choice([*classes, 'int'])}) else self",
            f"return NotImplemented if {self.sure()} else self",
        )

    def method(self, log: str, cls: str, name: str, given: str, answer: str) -> str:
        head = f"def {name}(self{', ' if given else ''}{given}):"
        return f"{head}\n    {log}.append('{cls}.{name}')\n    {answer}"

    def maybe(self, text: str) -> str:
        """Sometimes: the method under a condition."""
        return f"if {self.sure()}:\n{indent(text, '    ')}" if self.random.random() < 0.1 else text

    def define(self, cls: str, bases: str, methods: list[str]) -> str:
        body = "\n".join(self.maybe(text) for text in methods) or "pass"
        return f"class {cls}{bases}:\n{indent(body, '    ')}"

    def tried(self, log: str, text: str) -> str:
        caught = f"except (TypeError, AttributeError, LookupError):\n    {log}.append('raised')"
        return f"try:\n{indent(text, '    ')}\n{caught}"

    def two(self, log: str, names: list[str], head: str) -> tuple[list[str], list[str]]:
        """Two classes that have some of these methods, and expressions for operands."""
        first, second = self.draw.name("A"), self.draw.name("B")
        base = f"({first})" if self.random.random() < 0.5 else ""
        lines = []
        for cls, bases in ((first, ""), (second, base)):
            chosen = [name for name in names if self.random.random() < 0.5]
            methods = [self.method(log, cls, name, head, self.answer([first, second])) for name in chosen]
            lines.append(self.define(cls, bases, methods))
        one, other = self.draw.name("x"), self.draw.name("y")
        lines += [f"{one} = {first}()", f"{other} = {second}()"]
        either = f"({one} if {self.sure()} else {other})"
        return lines, [one, other, one, other, either, self.of("int", 0), self.of("ints", 0), self.of("str", 0)]

    def operators(self) -> str:
        log = self.new("strs")
        used = self.random.sample(sorted(OPERATORS), 2)
        names = [f"__{prefix}{name}__" for name in used for prefix in ("", "r", "i")]
        lines, operands = self.two(log, names, "other")
        for _ in range(self.random.randint(2, 4)):
            sign = OPERATORS[self.random.choice(used)]
            left, right = self.random.choice(operands[:5]), self.random.choice(operands)
            if self.random.random() < 0.3:
                left, right = right, left
            target = self.draw.name("z")
            apply = self.draw.pick(f"{left} {sign} {right}", f"{target} = {left}\n{target} {sign}= {right}")
            lines.append(self.tried(log, apply))
        return "\n".join([f"{log} = []", *lines])

    def comparisons(self) -> str:
        log = self.new("strs")
        used = self.random.sample(sorted(ORDER), 3)
        lines, operands = self.two(log, [*(f"__{name}__" for name in used), "__contains__"], "other")
        for _ in range(self.random.randint(2, 4)):
            sign = self.draw.pick(*(ORDER[name] for name in used), "==", "!=")
            left, right = self.random.choice(operands), self.random.choice(operands[:5])
            asked = self.draw.pick(
                *(f"{left} {sign} {right}", f"{left} {sign} {right}", f"{right} {sign} {left}"),
                *(f"{left} in [{right}, {self.random.randint(0, 3)}]", f"{left} in {right}"),
                f"[{right}].count({left})",
            )
            truth = f"{log}.append('yes' if ({asked}) else 'no')"
            lines.append(self.tried(log, truth))
        return "\n".join([f"{log} = []", *lines])

    def attributes(self) -> str:
        log, cls, made = self.new("strs"), self.draw.name("P"), self.draw.name("o")
        parts = {
            "setter": f"@p.setter\ndef p(self, value):\n    {log}.append(f'set {{value}}')",
            "getter": f"@p.getter\ndef p(self):\n    {log}.append('other get')\n    return 5",
            "deleter": f"@p.deleter\ndef p(self):\n    {log}.append('deleted')",
            "elsewhere": f"@p.setter\ndef q(self, value):\n    {log}.append('by q')",
        }
        body = [f"@property\ndef p(self):\n    {log}.append('get')\n    return 4"]
        body += [self.maybe(text) for text in parts.values() if self.random.random() < 0.4]
        body.append(f"r = {self.random.randint(0, 9)}")
        keep = self.draw.pick("super().__setattr__(name, value)", "object.__setattr__(self, name, value)", "pass")
        drop = self.draw.pick("super().__delattr__(name)", "pass")
        if self.random.random() < 0.4:
            body.append(
                self.maybe(f"def __setattr__(self, name, value):\n    {log}.append(f'on {{name}}')\n    {keep}")
            )
        if self.random.random() < 0.3:
            body.append(f"def __delattr__(self, name):\n    {log}.append(f'off {{name}}')\n    {drop}")
        lines = [f"{log} = []", f"class {cls}:\n{indent(chr(10).join(body), '    ')}", f"{made} = {cls}()"]
        other = f"{made}_b"
        lines += [f"{other} = {cls}()"]
        for _ in range(self.random.randint(3, 6)):
            owner = self.draw.pick(made, made, other, f"({made} if {self.sure()} else {other})")
            name = self.draw.pick("p", "q", "r", "s")
            change = self.draw.pick(
                *(f"{owner}.{name} = {self.of('int', 0)}", f"{owner}.{name} += 1", f"del {owner}.{name}"),
                *(f"delattr({made}, '{name}')", f"setattr({made}, '{name}', 8)", f"{log}.append(str({owner}.{name}))"),
                f"{log}.append(str(hasattr({owner}, '{name}')))",
            )
            lines.append(self.tried(log, change))
        return "\n".join(lines)

    def leaving(self) -> str:
        log, name, manager, result = self.new("strs"), self.draw.name("f"), self.draw.name("M"), self.new("ints")

        def step() -> str:
            leave = self.draw.pick("return [1]", "break", "continue", "raise ValueError", "raise KeyError", "pass")
            return self.draw.pick(f"if {self.sure()}: {leave}", leave, f"if i == 1: {leave}", f"{log}.append('step')")

        def last() -> str:
            return self.draw.pick("pass", "pass", step(), "return [2]", f"if i: {self.draw.pick('break', 'continue')}")

        def block(depth: int) -> str:
            if depth == 0:
                return f"{step()}\n{log}.append(f'in {{i}}')"
            inner = indent(block(depth - 1), "    ")
            if self.random.random() < 0.3:
                return f"with {manager}():\n{inner}\n{step()}"
            caught = self.draw.pick("", f"except ValueError:\n    {step()}\n", f"except KeyError:\n    {step()}\n")
            return f"try:\n{inner}\n{caught}finally:\n    {log}.append(f'last {{i}}')\n    {last()}\n{step()}"

        swallow = self.draw.pick("return False", "return True", "return kind is KeyError", "pass")
        body = indent(block(self.random.randint(1, 2)), "        ")
        return (
            f"{log} = []\nclass {manager}:\n    def __enter__(self):\n        {log}.append('enter')\n"
            f"    def __exit__(self, kind, value, trace):\n        {log}.append('exit')\n        {swallow}\n"
            f"def {name}():\n    for i in range({self.random.randint(1, 3)}):\n{body}\n    return [3]\n"
            f"try:\n    {result} = {name}()\nexcept (ValueError, KeyError):\n    {result} = [4]\n"
            f"if {self.sure()}: {log}.clear()"
        )

    def classes(self) -> str:
        log, meta, base, made = self.new("strs"), self.draw.name("Meta"), self.draw.name("K"), self.draw.name("k")
        hooks = {
            "__prepare__": f"@classmethod\ndef __prepare__(meta, name, bases):\n    {log}.append('prepare')\n"
            "    return {}",
            "__new__": f"def __new__(meta, name, bases, names):\n    {log}.append('new ' + name)\n"
            "    return super().__new__(meta, name, bases, names)",
            "__init__": f"def __init__(cls, name, bases, names):\n    {log}.append('init ' + name)",
            "__call__": f"def __call__(cls, *given):\n    {log}.append('call')\n    return super().__call__(*given)",
            "__len__": "def __len__(cls):\n    return 0",
            "__getitem__": f"def __getitem__(cls, key):\n    {log}.append(f'item {{key}}')\n    return key",
            "__setattr__": f"def __setattr__(cls, name, value):\n    {log}.append('set ' + name)\n"
            "    super().__setattr__(name, value)",
        }
        chosen = [text for text in hooks.values() if self.random.random() < 0.4]
        lines = [f"{log} = []", self.define(meta, "(type)", chosen)]
        given = self.draw.pick(
            "", f"(metaclass={meta})", f"(metaclass={meta})", f"(metaclass={meta} if {self.sure()} else type)"
        )
        body = [
            f"def __init_subclass__(cls):\n    {log}.append('below')",
            f"def __class_getitem__(cls, key):\n    {log}.append('class item')\n    return key",
            f"def __call__(self, n=1):\n    {log}.append(f'called {{n}}')\n    return n",
            f"def __new__(cls, *given):\n    {log}.append('made')\n    return super().__new__(cls)",
        ]
        lines.append(self.define(base, given, [text for text in body if self.random.random() < 0.5]))
        for _ in range(self.random.randint(2, 5)):
            use = self.draw.pick(
                *(f"class {self.draw.name('S')}({base}): pass", f"type('T', ({base},), {{}})"),
                *(f"{log}.append('true' if {base} else 'false')", f"{base}['x']"),
                *(f"{base}.y = 3\n{log}.append(str({base}.y))", f"{made} = {base}()\n{made}(2)"),
            )
            lines.append(self.tried(log, use))
        return "\n".join(lines)

    def items(self) -> str:
        log, cls, made = self.new("strs"), self.draw.name("R"), self.draw.name("r")
        methods = {
            "__getitem__": f"def __getitem__(self, key):\n    {log}.append('get')\n"
            "    if isinstance(key, int) and key > 2: raise IndexError\n    return [1]",
            "__setitem__": f"def __setitem__(self, key, value):\n    {log}.append(f'set {{value}}')",
            "__delitem__": f"def __delitem__(self, key):\n    {log}.append('del')",
            "__len__": f"def __len__(self):\n    return {self.random.randint(0, 1)}",
            "__bool__": f"def __bool__(self):\n    {log}.append('bool')\n    return {self.draw.pick('True', 'False')}",
            "__iter__": f"def __iter__(self):\n    {log}.append('iter')\n    return iter([1, 2])",
            "__neg__": f"def __neg__(self):\n    {log}.append('neg')",
        }
        chosen = [text for text in methods.values() if self.random.random() < 0.6]
        lines = [f"{log} = []", self.define(cls, "", chosen), f"{made} = {cls}()", f"{made}_b = {cls}()"]
        for _ in range(self.random.randint(2, 5)):
            owner = self.draw.pick(made, made, f"({made} if {self.sure()} else {made}_b)")
            key = self.draw.pick("0", "'a'", self.of("int", 0), self.of("str", 0))
            use = self.draw.pick(
                *(f"{owner}[{key}]", f"{owner}[{key}] = {self.of('int', 0)}", f"{owner}[{key}] += [2]"),
                *(f"del {owner}[{key}]", f"{log}.append('true' if {owner} else 'false')"),
                *(f"{log}.append(str(1 in {owner}))", f"{log}.append(str(list({owner})))", f"-{owner}"),
            )
            lines.append(self.tried(log, use))
        return "\n".join(lines)


def program(seed: int) -> str:
    """The program of a seed: about three in ten depend on environment variables."""
    random = Random(seed)
    return Objects(random, unsure=random.random() < 0.3).text(random.randint(3, 8))
