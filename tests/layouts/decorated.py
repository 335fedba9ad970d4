"""What is particular to servers whose tools are decorated functions; one text serves all families.

``@IMPORT@`` stands for the line that imports the server class, ``@CLASS@`` for its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tests.layouts.living import Start, py
from tests.layouts.servers import indented, joined
from tests.support.environments import FASTMCP3, FASTMCP4, MCP1, MCP2

PROJECT = '[project]\nname = "notes"\nversion = "1"\ndependencies = [@REQUIRES@]\n'
HEAD = "from typing import Annotated\n\nfrom pydantic import Field\n@IMPORT@\n"
SERVER = 'mcp = @CLASS@("notes")'
GUARD = 'if __name__ == "__main__":\n    mcp.run()\n'
MAIN = f"def main() -> None:\n    mcp.run()\n\n\n{GUARD.replace('mcp.run()', 'main()')}"
FIND = '''\
def find_note(text: str, limit: int = 10) -> str:
    """Find notes by their text. Returns at most `limit` notes, the newest first, each with its id.

    Every word of the text has to be in a note; capitals and accents do not count.
    """
    return f"find_note {text} {limit}"
'''
DROP = '''\
def drop_note(id: Annotated[str, Field(description="What find_note said of the note, with its colon.")]) -> str:
    """Remove a note for good. Nothing brings it back, so ask the person before you do this."""
    return f"drop_note {id}"
'''


@dataclass(frozen=True)
class Family:
    """``pins`` make the environment that its servers run in."""

    id: str
    line: str
    name: str
    pins: tuple[str, ...]

    @property
    def requires(self) -> str:
        return self.pins[0]

    @property
    def versions(self) -> tuple[str, ...]:
        given = [pin for pin in self.pins if pin.partition("==")[0] in ("mcp", "fastmcp", "pydantic")]
        return tuple(word for pin in given for word in ("--sdk", pin))

    def text(self, template: str) -> str:
        words = {"@IMPORT@": self.line, "@CLASS@": self.name, "@REQUIRES@": f'"{self.requires}"'}
        for mark, word in words.items():
            template = template.replace(mark, word)
        return template


FAMILIES = (
    Family("mcp1-fastmcp", "from mcp.server.fastmcp import FastMCP", "FastMCP", MCP1),
    Family("fastmcp3", "from fastmcp import FastMCP", "FastMCP", FASTMCP3),
    Family("fastmcp4", "from fastmcp import FastMCP", "FastMCP", FASTMCP4),
    Family("mcp2-mcpserver", "from mcp.server import MCPServer", "MCPServer", MCP2),
)


@dataclass(frozen=True)
class Layout:
    """``only`` are the families that can do it."""

    files: Mapping[str, str]
    starts: tuple[Start, ...]
    only: tuple[str, ...] = tuple(family.id for family in FAMILIES)


def decorated(server: str = "mcp", *functions: str) -> str:
    return joined(*(f"@{server}.tool()\n{text}" for text in functions or (FIND, DROP)))


def module(*more_imports: str, server: str = SERVER, end: str = MAIN) -> str:
    """A whole server in one module."""
    return joined(HEAD + "".join(f"{line}\n" for line in more_imports) + f"\n{server}", decorated(), end)


APP = f"@IMPORT@\n\n{SERVER}\n"


def _tools_of(app: str) -> str:
    """A module whose tools are those of a server that it imports."""
    return joined(HEAD.replace("@IMPORT@", f"\nfrom {app} import mcp").rstrip("\n"), decorated())


def _runs(app: str, tools: str) -> str:
    """A module that starts the server after its tools are there."""
    return f"import {tools}  # noqa: F401\nfrom {app} import mcp\n\n\n{MAIN}"


PACKAGE = {"pyproject.toml": PROJECT, "notes/__init__.py": ""}
METHOD = '''\
class Notes:
    """Notes, and a server for them."""

    def __init__(self) -> None:
        self.limit = 3
        self.mcp = @CLASS@("notes")
        self.register()

    def register(self) -> None:
        """Tools that are bound methods."""
        self.mcp.tool()(self.find_note)
        self.mcp.tool()(self.drop_note)

'''

LAYOUTS: dict[str, Layout] = {
    "one file": Layout({"server.py": module()}, (py("server.py"),)),
    "a package whose tools are in modules of their own": Layout(
        {
            **PACKAGE,
            "notes/app.py": APP,
            "notes/tools/__init__.py": "from . import all_of_them\n",
            "notes/tools/all_of_them.py": _tools_of("..app"),
            "notes/__main__.py": _runs(".app", "notes.tools"),
        },
        (py("-m", "notes"),),
    ),
    "a factory with tools inside": Layout(
        {
            "server.py": joined(
                HEAD.rstrip("\n"),
                f"def create() -> @CLASS@:\n    {SERVER}\n\n{indented(decorated(), 1)}\n    return mcp\n",
                'if __name__ == "__main__":\n    create().run()\n',
            )
        },
        (py("server.py"),),
    ),
    "methods of a class that has the server": Layout(
        {
            "server.py": joined(
                HEAD.rstrip("\n"),
                METHOD + indented(joined(FIND, DROP).replace("(text", "(self, text").replace("(id:", "(self, id:"), 1),
                'if __name__ == "__main__":\n    Notes().mcp.run()\n',
            )
        },
        (py("server.py"),),
    ),
    "a server that is mounted on another": Layout(
        {
            "server.py": joined(
                f'{HEAD}\npart = @CLASS@("part")\nmcp = @CLASS@("notes")',
                decorated("part", DROP),
                decorated("mcp", FIND),
                "mcp.mount(part)\n",
                GUARD,
            )
        },
        (py("server.py"),),
        only=("fastmcp3", "fastmcp4"),
    ),
}
