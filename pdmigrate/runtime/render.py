"""The generated module, rendered from ``templates/``: one core, and one adapter per SDK major.

The text is a function of the spec alone: no version, no time, no path of this machine.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pdmigrate import disk

if TYPE_CHECKING:
    from jinja2 import Environment


_MARKS = {
    "mcp1": b"class Mcp1Disclosure",
    "mcp2": b"class Mcp2Disclosure",
    "moved": b"self.moved",
    "left": b"self.left",
    "several": b"descriptions: str",
    "bridge": b"files.bridge",
}
"""Text in a generated module that shows which options it was rendered with, by option."""


_BRIDGE = "describe_tools"
_MOST_STEM = 30 - len("_") - len(_BRIDGE)
_SAYS_NOTHING = frozenset({"", "app", "fastmcp", "main", "mcp", "mcp_server", "my_server", "server", "src"})
"""Names of servers, files and folders that tell no server from another; SDKs give some of them to unnamed ones."""


@dataclass(frozen=True, slots=True)
class ModuleSpec:
    """All settings on which the text of a package's generated module depends."""

    adapter: str
    """The SDK major to connect to: ``mcp1`` for ``templates/adapter_mcp1.py.j2``; ``both``: chosen at start."""
    stub_schema: str = "skeleton"
    bridge: bool = True
    drop_output_schema: bool = False
    receipt: bool = False
    moved: bool = False
    """Whether some tools have their definitions only in description files."""
    left: bool = False
    """Whether some tools are left out of the migration."""
    several: bool = False
    """Whether several servers share the module, each with its own subfolder of the description folder."""
    dashdash: bool = False
    """Whether the metadata of the dashdash enhancements is served, with the help as a resource."""
    help_tool: bool = False
    """Whether the help is also a tool."""


@cache
def render_module(spec: ModuleSpec, **more: str) -> str:
    """The source of ``progressive_disclosure.py``; equal arguments give the same text.

    ``more``: what the template of a wrapper takes beside the spec.
    """
    template = _environment().get_template(f"adapter_{spec.adapter}.py.j2")
    values = {
        "spec": spec,
        "folder": "FOLDER / descriptions" if spec.several else "FOLDER",
        "connect": "connect" if spec.adapter != "both" else "connect_{}",
        "http_policy": "HttpPolicy" if spec.receipt else "Policy",
        **more,
    }
    functions, constants = list[str](), list[str]()
    for block in _shared_code(template.render(**values, functions=(), constants=())):
        (functions if re.search(r"^def ", block, re.MULTILINE) else constants).append(block)
    return _uncounted(_imported(template.render(**values, functions=functions, constants=constants)))


def render_tests(**values: object) -> str:
    """The source of tests for a server's own repository; ``values`` are the names in their template."""
    return _environment().get_template("test_server.py.j2").render(**values)


def features(module: bytes) -> frozenset[str]:
    """The options a generated module was rendered with, by its text, which a formatter may have changed."""
    return frozenset(name for name, mark in _MARKS.items() if mark in module)


def bridge_names(server: str, *others: str) -> Iterator[str]:
    """Names for the bridge tool, the best first: at most 30 characters, which all hosts accept, also with a prefix.

    They are made of the server's name or, where that says nothing, of those of ``others`` that say something: an SDK
    calls every server by the same name if it is given none, and hosts refuse two servers that list the same tool.
    """
    telling = [name for name in (server, *others) if _stem(name) not in _SAYS_NOTHING]
    for name in telling[:1] if server in telling else telling:
        yield f"{_short(name, _MOST_STEM)}_{_BRIDGE}"
    if not telling:
        yield _BRIDGE
    first = telling[0] if telling else "tools"
    for number in itertools.count(2):
        yield f"{_short(first, _MOST_STEM - len(f'_{number}'))}_{number}_{_BRIDGE}"


def bridge_name(server: str) -> str:
    """The best name, for a server whose project is not known."""
    return next(bridge_names(server))


def _stem(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def _short(name: str, most: int) -> str:
    """A name in at most so many characters, which still tells it from the names of other servers.

    Where there is no room for all of it, what many names share goes first: words that say nothing, then what stands
    before the last dot or slash.  What is left is cut after the last whole word that there is room for.
    """
    for part in (name, re.split(r"[./]", name)[-1]):
        stem = _stem(part)
        if len(stem) > most:
            stem = "_".join(word for word in stem.split("_") if word not in _SAYS_NOTHING) or stem
        if len(stem) <= most:
            return stem
    whole = f"{stem}_"[: most + 1].rpartition("_")[0]
    return whole or stem[:most].strip("_")


def read_template(name: str) -> str:
    """The text of a file in ``templates/``.  Raises FileNotFoundError if there is no file of that name."""
    return disk.packaged(f"_templates/{name}", f"templates/{name}").decode("utf-8")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(read_template),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _imported(text: str) -> str:
    """``text`` without unused imports; which imports are unused differs with the settings."""
    tree = ast.parse(text)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    lines = text.splitlines(keepends=True)
    for statement in tree.body:
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            continue
        names = [alias.name for alias in statement.names if alias.name.partition(".")[0] in used]
        start = f"from {statement.module} import " if isinstance(statement, ast.ImportFrom) else "import "
        if start != "from __future__ import ":
            lines[statement.lineno - 1] = f"{start}{', '.join(names)}\n" if names else ""
    return "".join(lines)


def _uncounted(text: str) -> str:
    """``text`` with each top-level block excluded from coverage, as no mark excludes a whole file."""
    return re.sub(r"^((?:async def|def|class) .*)$", r"\1  # pragma: no cover", text, flags=re.MULTILINE)


def _shared_code(template: str) -> tuple[str, ...]:
    """The shared functions and constants that ``template`` needs, directly or through each other, in order."""
    modules = ("runtime/guidance.py", "runtime/stubs.py")
    blocks = [block for module in modules for block in _blocks(disk.packaged(module).decode("utf-8"))]
    needed, texts = set[str](), [template]
    while texts:
        used = {name for text in texts for name in re.findall(r"\w+", text)}
        texts = [block for block in blocks if block not in needed and used & _defined(block)]
        needed.update(texts)
    return tuple(block for block in blocks if block in needed)


def _defined(block: str) -> set[str]:
    return set(re.findall(r"^(?:def |class )?(\w+)(?: *[(=:])", block, flags=re.MULTILINE))


def _blocks(source: str) -> Iterator[str]:
    """The top-level blocks between the markers, without imports, which are in the template."""
    shared = re.search(r"generated module: begin ---\n(.*?)\n# --- shared with the generated module: end", source, re.S)
    if shared is None:
        raise ValueError("the markers of the shared functions are missing")
    for block in re.split(r"\n{3,}", shared[1].strip()):
        text = "\n".join(line for line in block.splitlines() if not line.startswith("import ")).strip()
        if text:
            yield text
