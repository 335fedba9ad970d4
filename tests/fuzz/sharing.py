# ruff: noqa: E501 - most sources stand in one line
"""Random programs of lists that live in odd places, are changed through odd doors, and are looked at in between."""

from __future__ import annotations

from random import Random
from textwrap import indent

HEAD = """
import asyncio, functools, itertools, operator
from abc import ABC
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from enum import Enum
"""
HOMES = {
    "a name": ("{H} = []", "{H}"),
    "an attribute of a function": ("def {H}(): pass\n{H}.items = []", "{H}.items"),
    "a decorator's own": ("def {H}(x):\n    {H}.items.append(x)\n    return x\n{H}.items = []", "{H}.items"),
    "an attribute of a class": ("class {H}:\n    items = []", "{H}.items", "{H}().items"),
    "a class that gets it later": ("class {H}: pass\n{H}.items = []", "{H}.items", "{H}().items"),
    "a class in a class": ("class {H}:\n    class Inner:\n        items = []", "{H}.Inner.items", "{H}.Inner().items"),
    "a class under a condition": ("class {H}:\n    if len('a') == 1:\n        items = []", "{H}.items"),
    "a base": ("class {H}Base:\n    items = []\nclass {H}({H}Base): pass", "{H}.items", "{H}Base.items", "{H}().items"),
    "a member": ("class {H}(Enum):\n    A = 1\n    def __init__(self, v): self.items = []", "{H}.A.items", "{H}(1).items"),
    "an object": ("class {H}C:\n    def __init__(self): self.items = []\n{H} = {H}C()", "{H}.items", "getattr({H}, 'items')"),
    "a private name": ("class {H}C:\n    def __init__(self): self.__items = []\n    def get(self): return self.__items\n{H} = {H}C()", "{H}.get()", "{H}._{H}C__items"),
    "one object": ("class {H}:\n    def __init__(self): self.items = []\n    @classmethod\n    @functools.lru_cache\n    def one(cls): return cls()", "{H}.one().items"),
    "a class that makes one object": ("class {H}:\n    _one = None\n    def __new__(cls):\n        if cls._one is None:\n            cls._one = super().__new__(cls)\n            cls._one.items = []\n        return cls._one", "{H}().items"),
    "a cached function": ("@functools.cache\ndef {H}(): return []", "{H}()"),
    "a default": ("def {H}(x=None, seen=[]):\n    if x is not None: seen.append(x)\n    return seen", "{H}()"),
    "a default of a lambda": ("{H} = lambda seen=[]: seen", "{H}()"),
    "a closure": ("def {H}make():\n    items = []\n    def get(): return items\n    return get\n{H} = {H}make()", "{H}()"),
    "a dict": ("{H} = {{'k': []}}", "{H}['k']", "{H}.get('k')", "next(iter({H}.values()))"),
    "a list of lists": ("{H} = [[], []]", "{H}[0]", "{H}[-2]"),
    "a pair": ("{H}a, {H}b = {H} = ([], 1)", "{H}a", "{H}[0]"),
    "another name": ("{H}L = []\nclass {H}: pass\n{H}.items = {H}L", "{H}L", "{H}.items"),
    "the same name in a class": ("{H}L = []\nclass {H}:\n    {H}L = {H}L", "{H}L", "{H}.{H}L"),
    "what only a function binds": ("def {H}start():\n    global {H}\n    {H} = []\n{H}start()", "{H}"),
    "a property": ("class {H}C:\n    _items = []\n    @property\n    def items(self): return self._items\n{H} = {H}C()", "{H}.items", "{H}C._items"),
    "a cached property": ("class {H}C:\n    @functools.cached_property\n    def items(self): return []\n{H} = {H}C()", "{H}.items"),
    "a descriptor": ("class {H}D:\n    def __init__(self): self.items = []\n    def __get__(self, one, owner): return self.items\nclass {H}:\n    items = {H}D()", "{H}.items", "{H}().items"),
    "a dataclass": ("@dataclass\nclass {H}C:\n    items: list = field(default_factory=list)\n{H} = {H}C()", "{H}.items"),
    "an argument of a constructor": ("{H}L = []\nclass {H}C:\n    def __init__(self, items): self.items = items\n{H} = {H}C({H}L)", "{H}.items", "{H}L"),
    "an object in an object": ("class {H}A:\n    def __init__(self): self.items = []\nclass {H}B:\n    def __init__(self, inner): self.inner = inner\n{H} = {H}B({H}A())", "{H}.inner.items"),
    "a class that derives from list": ("class {H}C(list): pass\n{H} = {H}C()", "{H}"),
    "a branch": ("if len('ab') == 2:\n    {H} = []\nelse:\n    {H} = None", "{H}"),
    "a try": ("try:\n    {H} = {{}}['k']\nexcept KeyError:\n    {H} = []", "{H}"),
    "a walrus": ("if ({H} := []) is not None: pass", "{H}"),
    "a method without an object": ("class {H}:\n    items = []\n    @staticmethod\n    def get(): return {H}.items\n    @classmethod\n    def own(cls): return cls.items", "{H}.get()", "{H}.own()", "{H}().own()"),
    "an attribute of a method": ("class {H}:\n    def go(self): pass\n    go.items = []", "{H}.go.items", "{H}().go.items"),
}  # fmt: skip
"""Where a list may live: code that makes it, with ``{H}`` for a name, and expressions that mean it."""
DOORS = (
    *("{e}.append({v})", "{e}.extend([{v}])", "{e}.insert(0, {v})", "{e}[:] = [*{e}, {v}]", "del {e}[:1]"),
    *("{e}.sort()", "{e}.clear()", "{n} = {e}\n{n}.append({v})", "{n} = {e}.append\n{n}({v})"),
    *("for {n} in ({e},):\n    {n}.append({v})", "for {n} in [{e}]: {n} += [{v}]"),
    *("def {n}(x): x.append({v})\n{n}({e})", "def {n}(*x): x[0].append({v})\n{n}({e})"),
    *("def {n}(**x): x['a'].append({v})\n{n}(a={e})", "def {n}(x={e}): x.append({v})\n{n}()"),
    *("def {n}(): {e}.append({v})\n{n}()", "def {n}():\n    def inner(): {e}.append({v})\n    inner()\n{n}()"),
    *("def {n}(): return {e}\n{n}().append({v})", "(lambda x: x.append({v}))({e})"),
    *("{n} = lambda: {e}\n{n}().append({v})", "[x.append({v}) for x in [{e}]]", "[{e}.append(x) for x in [{v}]]"),
    *("any({e}.append(x) for x in [{v}])", "list(map({e}.append, [{v}]))", "functools.partial({e}.append, {v})()"),
    *("functools.reduce(lambda a, b: (a.append(b), a)[1], [{v}], {e})", "operator.methodcaller('append', {v})({e})"),
    *("getattr({e}, 'append')({v})", "class {n}:\n    def __init__(self, x): x.append({v})\n{n}({e})"),
    "class {n}:\n    def __init__(self, x): self.x = x\n{n}({e}).x.append({v})",
    "class {n}:\n    def go(self, x): x.append({v})\n{n}().go({e})",
    *("class {n}:\n    def __call__(self, x): x.append({v})\n{n}()({e})", "class {n}:\n    {e}.append({v})"),
    "class {n}:\n    x = {e}\n{n}.x.append({v})",
    "class {n}:\n    def __init_subclass__(cls): {e}.append({v})\nclass {n}Sub({n}): pass",
    "class {n}:\n    def __set_name__(self, owner, name): {e}.append({v})\nclass {n}Owner:\n    x = {n}()",
    "class {n}:\n    def __enter__(self): return {e}\n    def __exit__(self, *a): {e}.append({v})\nwith {n}() as x: x.append({v})",
    "@contextmanager\ndef {n}():\n    {e}.append({v})\n    yield {e}\n    {e}.append({v})\nwith {n}() as x: x.append({v})",
    "with nullcontext({e}) as {n}: {n}.append({v})",
    "with suppress(KeyError):\n    {e}.append({v})\n    {{}}['k']\n    {e}.append({v})",
    "try:\n    {e}.append({v})\n    {{}}['k']\nexcept KeyError:\n    {e}.append({v})\nfinally:\n    {e}.append({v})",
    "class {n}(Exception):\n    def __init__(self, x): x.append({v})\ntry:\n    raise {n}({e})\nexcept {n}: pass",
    *("match {e}:\n    case {n}: {n}.append({v})", "({n} := {e}).append({v})", "{{'k': {e}}}['k'].append({v})"),
    *("{n} = {{'k': {e}}}\n{n}['k'].append({v})", "{n} = [{e}]\n{n}[0].append({v})"),
    *("{n}, *_ = [{e}, 1]\n{n}.append({v})", "{n} = {e} if len('a') == 1 else []\n{n}.append({v})"),
    "{n} = {e} or {e}\n{n}.append({v})",
    "def {n}(fn):\n    {e}.append(fn.__name__)\n    return fn\n@{n}\ndef {n}f(): pass",
    "def {n}(name):\n    def wrap(fn):\n        {e}.append(name)\n        return fn\n    return wrap\n@{n}({v})\ndef {n}f(): pass",
    "def {n}(cls):\n    {e}.append(cls.__name__)\n    return cls\n@{n}\nclass {n}C: pass",
    "async def {n}(): {e}.append({v})\nasyncio.run({n}())",
    "def {n}():\n    {e}.append({v})\n    yield\nlist({n}())",
    "def {n}():\n    {e}.append({v})\n    yield\nnext({n}())",
    *("def {n}(): {e}.append({v})\nfor {n}i in (1, 2): {n}()", "def {n}(): {e}.append({v})\n{n}f = {n}\n{n}f()"),
    "def {n}(): {e}.append({v})\n{n}t = {{'k': {n}}}\n{n}t['k']()",
    *("def {n}(): {e}.append({v})\n[f() for f in [{n}]]", "def {n}(f): f()\n{n}(lambda: {e}.append({v}))"),
    *("if len('a') == 1: {e}.append({v})", "while len({e}) < 2: {e}.append({v})"),
    *("for {n} in itertools.chain([{e}]): {n}.append({v})", "for {n}, {n}x in zip([{e}], [{v}]): {n}.append({n}x)"),
    *("setattr(type('T', (), {{}}), 'x', {e})", "class {n}: pass\n{n}.x = {e}\n{n}().x.append({v})"),
    "class {n}: pass\n{n}o = {n}()\n{n}o.x = {e}\n{n}o.x.append({v})",
    *("class {n}: pass\nsetattr({n}, 'x', {e})\n{n}.x.append({v})", "def {n}(): pass\n{n}.x = {e}\n{n}.x.append({v})"),
    "@dataclass\nclass {n}:\n    x: list\n{n}({e}).x.append({v})",
    "class {n}(ABC):\n    @property\n    def x(self): return {e}\n{n}().x.append({v})",
    "class {n}:\n    def __iter__(self): return iter([{e}])\nfor {n}i in {n}(): {n}i.append({v})",
)
"""How a list is changed, where ``{e}`` means it; ``{n}`` is a new name, ``{v}`` a text."""


def program(seed: int) -> str:
    """The program of a seed: one to three lists, three to seven changes, some of them inside a function."""
    random = Random(seed)
    lines, homes = [HEAD], []
    for number in range(random.randint(1, 3)):
        made, *means = random.choice(list(HOMES.values()))
        lines.append(made.format(H=f"H{number}"))
        homes.append([each.format(H=f"H{number}") for each in means])
    for number in range(random.randint(3, 7)):
        home = random.choice(homes)
        means, name = random.choice(home), f"n{number}"
        text = random.choice(DOORS).format(e=means, n=name, v=f"'{chr(97 + number)}'")
        if random.random() < 0.15 and f"{name} =" not in text:
            text = f"def later{number}():\n{indent(text, '    ')}\nlater{number}()"
        lines.append(text)
        if random.random() < 0.4:
            look = random.choice(("list({})", "len({})", "'_'.join({})", "[x for x in {}]", "sorted({})", "'a' in {}"))
            lines.append(f"v{number} = {look.format(random.choice(home))}")
    lines += [f"v{100 + number} = list({random.choice(home)})" for number, home in enumerate(homes)]
    return "\n".join(lines) + "\n"
