# ruff: noqa: E501 - most sources stand in one line
"""Random programs of several files that import each other in odd ways, and change each other while they are imported.

A program is one text: a line with a text ``== path`` begins a file, and ``== start how`` says how it is started.  What ran,
and in which order, stands in the descriptions of the tools that its server lists.
"""

from __future__ import annotations

import re
from random import Random
from textwrap import indent

from tests.fuzz import importing

HEAD = "import importlib, os, pkgutil, sys\nfrom contextlib import suppress\nfrom typing import TYPE_CHECKING\n"
FAST = 'from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("x")\n'
LOW = 'from mcp.server import Server\nimport mcp.types as types\nmcp = Server("x")\n'
RUN = """
import asyncio
from mcp.server.stdio import stdio_server
@{mcp}.list_tools()
async def listed():
    return [{tools}*{T}]
async def main():
    async with stdio_server() as (read, write):
        await {mcp}.run(read, write, {mcp}.create_initialization_options())
"""


class Programs:
    """One random program.  Modules mostly import those after them; the last holds what all of them write to."""

    def __init__(self, random: Random) -> None:
        self.random, self.count = random, 0
        self.unsure, self.odd = random.random() < 0.2, random.random() < 0.2
        self.low, self.packed = random.random() < 0.35, random.random() < 0.6
        inner = ["app.sub", "app.sub.deep"] if self.packed and random.random() < 0.4 else []
        number = random.randint(1, 1 if inner else 3)
        names = [f"app.m{n}" for n in range(number)] if self.packed else [f"m{n}" for n in range(number)]
        self.names = [*(["app"] if self.packed else []), *names, *inner, "app.store" if self.packed else "store"]
        self.store = len(self.names)
        self.main = random.choice(("app.__main__", "app.main", "run")) if self.packed else "server"
        self.names.insert(0, self.main)
        self.started = self.main if self.main.startswith("app.") else ""
        self.has = [{"NAME", "ITEMS", *(p for p in importing.PARTS if random.random() < 0.55)} for _ in self.names]
        self.failing = {
            n for n, d in enumerate(self.names) if n != self.store and "m" in d[-2:-1] and random.random() < 0.08
        }
        self.at, self.log, self.list, self.mcp, self.tools = 0, "", "", "", ""

    def new(self) -> str:
        self.count += 1
        return f"n{self.count}"

    def package(self, module: int) -> str:
        name = self.names[module]
        return name if name in ("app", "app.sub") else name.rpartition(".")[0]

    def relative(self, module: int, name: str) -> str:
        """How a module may name another one, from the points on; empty if it has to use the whole name."""
        package = self.package(module)
        if package and name.startswith(f"{package}."):
            return name[len(package) :]
        return f".{name[len('app') :]}" if package == "app.sub" and name.startswith("app.") else ""

    def imports(
        self, module: int, other: int, names: list[str], *, whole: bool, star: bool
    ) -> tuple[str, str, dict[str, str]]:
        """An import of ``other``, the expression that means it, and those that mean its names."""
        name, new = self.names[other], self.new()
        above, _, last = name.rpartition(".")
        near = self.relative(module, name)
        ways = [(f"import {name}", name)] * 2 + [(f"import {name} as {new}", new)]
        ways.append((f"{new} = importlib.import_module('{name}')", new))
        if above:
            ways += [(f"from {above} import {last}", last), (f"from {above} import {last} as {new}", new)]
        if near:
            there = near[: len(near) - len(last)]
            ways += [(f"from {there.rstrip('.') or '.'} import {last}", last)] if near.count(".") == 1 else []
            ways += [(f"from .. import {last} as {new}", new)] if near.startswith("..") else []
        if whole or self.random.random() < 0.45:
            line, meant = self.random.choice(ways)
            return line, meant, {each: f"{meant}.{each}{other}" for each in names}
        source = near if near and self.random.random() < 0.6 else name
        if self.packed and name.startswith("app.m") and self.random.random() < 0.08:
            source = "." if self.relative(module, "app.x") == ".x" else "app"
        if star and "_OWN" not in names and self.random.random() < 0.25:
            return f"from {source} import *", "", {each: f"{each}{other}" for each in names}
        renamed = {
            each: f"{each.strip('_')}_{new}" if self.random.random() < 0.4 else f"{each}{other}" for each in names
        }
        parts = [f"{each}{other}" + (f" as {to}" if to != f"{each}{other}" else "") for each, to in renamed.items()]
        return f"from {source} import {', '.join(parts)}", "", renamed

    def use(self, module: int, *, star: bool) -> tuple[str, int]:
        """An import of another module with something that is done to it, and which module that is."""
        later = [n for n in range(module + 1, len(self.names)) if n != self.store]
        earlier = [n for n in range(1, module) if n != self.store]
        others = earlier if not later or (earlier and self.random.random() < 0.05) else later
        if not others:
            return self.own(module), module
        other = self.random.choice(others)
        kind = self.random.random()
        whole = kind < 0.35
        pool: tuple[str, ...] = importing.OF_MODULES if whole else importing.USES
        if kind > 0.85:
            pool = importing.IN_PACKAGES if self.packed and kind > 0.93 else importing.ALONE
        fitting = [
            t
            for t in pool
            if (self.odd or not importing.ODD.search(t))
            and {w for w in re.findall(r"\{(\w+)\}", t) if w in importing.PARTS} <= self.has[other]
        ]
        text = self.random.choice(fitting)
        wanted = [word for word in importing.PARTS if f"{{{word}}}" in text]
        line, meant, names = "", "", dict[str, str]()
        if wanted or whole:
            line, meant, names = self.imports(module, other, wanted, whole=whole, star=star)
        return f"{line}\n{self.filled(text, other, M=meant, **names)}".strip(), other

    def filled(self, text: str, other: int, **more: str) -> str:
        later = [n for n in range(self.at + 1, len(self.names)) if n not in self.failing and self.names[n] != "app"]
        third = self.random.choice(later if later and self.random.random() < 0.9 else range(1, len(self.names)))
        given = {
            "d": self.names[other],
            "e": self.names[third],
            "inner": self.names[third].rpartition(".")[2],
            "k": third,
        }
        given |= {"package": self.package(third) or "app", "j": other, "n": self.new(), "v": f"'v{self.count}'"}
        given |= {"missing": self.random.choice(("not_there", "maybe_there")), "log": self.log, "L": self.list}
        return text.format(**given, **more)

    def own(self, module: int) -> str:
        name = self.names[module]
        inside = [
            n for n, other in enumerate(self.names) if other.rpartition(".")[0] == name and n not in (0, self.store)
        ]
        if inside and self.random.random() < 0.7:
            third = self.random.choice(inside)
            text = self.random.choice(importing.REEXPORTS).format(
                inner=self.names[third].rpartition(".")[2], k=third, package=name
            )
            return f"with suppress(Exception):\n{indent(text, '    ')}" if third in self.failing else text
        usual = [text for text in importing.EXTRA if self.odd or not importing.ODD.search(text)]
        return self.filled(self.random.choice(usual), module)

    def tool(self, module: int) -> str:
        text = self.random.choice(
            (f"','.join({self.list})", f"NAME{module}", f"'-'.join(ITEMS{module})", f"'{self.new()}'")
        )
        name = self.new().replace("n", "t")
        if self.low:
            return f"{self.tools}.append(types.Tool(name='{name}', description={text}, inputSchema={{}}))"
        return f"@{self.mcp}.tool(description={text})\ndef {name}(): pass"

    def chunk(self, module: int) -> str:
        kind = self.random.random()
        if kind < (0.5 if self.names[module] in ("app", "app.sub") else 0.12):
            return self.own(module)
        around = self.random.random()
        text, other = (
            self.use(module, star=around > 0.15) if kind < 0.88 or not self.mcp else (self.tool(module), module)
        )
        if around < 0.10:
            name = self.new()
            text = f"def {name}():\n{indent(text, '    ')}\n{name}()"
        elif around < 0.15:
            text = f"class {self.new()}:\n{indent(text, '    ')}"
        elif around < 0.27:
            tests = (*importing.CONDITIONS, *importing.UNSURE * self.unsure)
            text = f"if {self.filled(self.random.choice(tests), other)}:\n{indent(text, '    ')}"
        if self.random.random() < 0.07 or other in self.failing or 0 < other < module:
            inside = {"body": indent(text, "    "), "deeper": indent(text, "        ")}
            ways = [each for each in importing.TRIES if self.unsure or "{missing}" not in each]
            text = self.filled(self.random.choice(ways), other, **inside)
        return text

    def text(self, module: int) -> str:
        """The file of a module."""
        self.at, store, lines = module, self.names[self.store], [HEAD]
        made_here = self.core == module
        if made_here:
            lines.append(LOW if self.low else FAST)
        if module == self.store:
            lines.append("LOG = []\nTOOLS = []")
            self.log, self.list, self.tools, self.mcp = "LOG.append", "LOG", "TOOLS", "mcp" if made_here else ""
        else:
            lines.append(self.stored(store))
            self.mcp = "mcp" if made_here else ""
            if self.core == self.store and (module == 0 or self.random.random() < 0.6):
                lines.append(f"from {store} import mcp")
                self.mcp = "mcp"
            elif not self.packed and not made_here and self.random.random() < 0.08:
                lines.append("from server import mcp")
                self.mcp = "mcp"
        if self.low and self.mcp:
            lines.append("import mcp.types as types")
        flag = self.random.choice(("True", "False", "[]", "TYPE_CHECKING", *("os.getenv('PD_A')",) * self.unsure))
        parts = [text.format(j=module, flag=flag) for part, text in importing.PARTS.items() if part in self.has[module]]
        number = 0 if module == self.store else self.random.randint(1, 3) + 3 * (module == 0)
        chunks = [self.chunk(module) for _ in range(number)]
        early = 0 if self.random.random() < 0.95 else min(1, len(chunks))
        chunks[early:early] = parts[:2]  # the other parts use these
        for part in parts[2:]:
            chunks.insert(self.random.randint(early + 2 if self.random.random() < 0.95 else early, len(chunks)), part)
        if module in self.failing:
            chunks.insert(
                self.random.randint(0, len(chunks)), self.filled(self.random.choice(importing.FAILURES), module)
            )
        return "\n".join([*lines, *chunks, *(self.end() if module == 0 else [])]) + "\n"

    def stored(self, store: str) -> str:
        """An import of what all modules write to."""
        above, _, last = store.rpartition(".")
        new = self.new()
        name, line = self.random.choice((
            *[("{}", f"from {store} import LOG, TOOLS")] * 12, (f"{store}.{{}}", f"import {store}"), (f"{new}.{{}}", f"import {store} as {new}"),
            ("{}", f"from {store} import *"), (f"{new}.{{}}", f"from {above} import {last} as {new}" if above else f"import {last} as {new}"),
        ))  # fmt: skip
        self.list, self.tools, self.log = name.format("LOG"), name.format("TOOLS"), f"{name.format('LOG')}.append"
        return line

    def end(self) -> list[str]:
        """How the main module ends."""
        said = f"','.join({self.list})"
        guard = "if __name__ == '__main__': " if self.random.random() < 0.85 else ""
        if self.low:
            last = f"types.Tool(name='end', description={said}, inputSchema={{}}), "
            lists = RUN.replace("{mcp}", self.mcp).replace("{tools}", last).replace("{T}", self.tools)
            return [f"{lists}{guard}asyncio.run(main())"]
        return [f"@{self.mcp}.tool(description={said})\ndef end(): pass\n{guard}{self.mcp}.run()"]

    def files(self) -> dict[str, str]:
        self.core = 0 if self.random.random() < 0.3 else self.store
        packages = ("app", "app.sub")
        return {
            name.replace(".", "/") + ("/__init__.py" if name in packages else ".py"): self.text(number)
            for number, name in enumerate(self.names)
        }


def program(seed: int) -> str:
    """The program of a seed."""
    programs = Programs(Random(seed))
    texts = [f"'== {path}'\n{text}" for path, text in programs.files().items()]
    return f"'== start {programs.started or programs.main + '.py'}'\n" + "".join(texts)
