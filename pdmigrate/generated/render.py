"""The generated module, rendered from ``templates/``: one core, and one adapter per SDK major.

The text is a function of the spec alone: no version, no time, no path of this machine.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pdmigrate import disk
from pdmigrate.generated.stubs import STUB_SCHEMAS

if TYPE_CHECKING:
    from jinja2 import Environment


_MAJORS = {"mcp1": b"class Mcp1Disclosure", "mcp2": b"class Mcp2Disclosure"}
_OPTIONS = {"moved": b"self.moved", "left": b"self.left", "several": b"descriptions: str", "bridge": b"self._bridge"}
"""What tells from the text of a module what it was rendered for."""


@dataclass(frozen=True, slots=True)
class ModuleSpec:
    """Everything that decides how a package's module reads."""

    adapter: str
    """The SDK major it connects to: ``mcp1`` for ``templates/adapter_mcp1.py.j2``; ``both`` chooses when it starts."""
    stub_schema: str = "skeleton"
    bridge: bool = True
    drop_output_schema: bool = False
    receipt: bool = False
    moved: bool = False
    """Whether there are tools whose definitions are in files alone."""
    left: bool = False
    """Whether there are tools that are left out of the migration."""
    several: bool = False
    """Whether several servers share the module, each with a folder of its own in that of the descriptions."""
    dashdash: bool = False
    """Whether the metadata of the dashdash enhancements is served, with the help as a resource."""
    help_tool: bool = False
    """Whether that help is a tool, too."""


@cache
def render_module(spec: ModuleSpec) -> str:
    """The source of ``progressive_disclosure.py``; servers of one kind have the same.

    Raises:
        ValueError: ``stub_schema`` is not one of ``STUB_SCHEMAS``.
        jinja2.TemplateNotFound: there is no adapter of that name.
    """
    if spec.stub_schema not in STUB_SCHEMAS:
        raise ValueError(f"unknown stub schema {spec.stub_schema!r}")
    template = _environment().get_template(f"adapter_{spec.adapter}.py.j2")
    values = {
        "spec": spec,
        "folder": "FOLDER / descriptions" if spec.several else "FOLDER",
        "connect": "connect" if spec.adapter != "both" else "connect_{}",
        "http_policy": "HttpPolicy" if spec.receipt else "Policy",
    }
    shared = _shared_code(template.render(**values, shared=()))
    return _uncounted(_imported(template.render(**values, shared=shared)))


def render_tests(
    *,
    server: str,
    folder: str,
    command: tuple[str, ...],
    descriptions: str,
    bridge: str,
    tool: str,
    arguments: str | None,
    gate: bool,
) -> str:
    """The source of tests for a server's own repository.

    ``command`` is what Python is given in ``folder`` to start the server, ``arguments`` the source of what ``tool`` may
    be called with (``None``: nothing is known to be harmless), ``gate`` whether calls over stdio need a fetch.
    """
    return (
        _environment()
        .get_template("test_server.py.j2")
        .render(
            server=" ".join(server.replace("\\", "").replace('"""', "").split()),
            folder=f" / {_quoted(folder)}" if folder not in ("", ".") else "",
            command=f"[sys.executable, {', '.join(map(_quoted, command))}]",
            descriptions=descriptions,
            bridge=bridge,
            tool=_quoted(tool),
            arguments=arguments,
            gate=gate,
        )
    )


def _quoted(text: str) -> str:
    """A text as Python source, in double quotes where it holds none."""
    return json.dumps(text, ensure_ascii=True) if text.isascii() and text.isprintable() else repr(text)


def features(module: bytes) -> frozenset[str]:
    """What a generated module was rendered for: the SDK majors (``mcp1``, ``mcp2``, ``both``), ``moved`` and the like.

    A formatter may have been at work; of a module that an earlier version made, nothing is known.
    """
    majors = {name for name, mark in _MAJORS.items() if mark in module}
    found = {name for name, mark in _OPTIONS.items() if mark in module}
    return frozenset({*found, *({"both"} if len(majors) > 1 else majors)})


def bridge_name(server_name: str) -> str:
    """The bridge's name: in the characters, and short enough, for every host and provider."""
    stem = re.sub(r"[^a-z0-9]+", "_", server_name.lower())[:40].strip("_")
    return f"{stem}_describe_tools" if stem else "describe_tools"


def read_template(name: str) -> str:
    """The text of a file in ``templates/``.

    Raises:
        FileNotFoundError: there is none of that name.
    """
    return disk.packaged(f"_templates/{name}", f"templates/{name}").decode("utf-8")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    def load(name: str) -> str | None:
        try:
            return read_template(name)
        except FileNotFoundError:
            return None

    return Environment(
        loader=FunctionLoader(load),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _imported(text: str) -> str:
    """``text`` without the imports that it does not use: which those are depends on every setting."""
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
    """``text`` with each of its blocks marked for coverage, which knows no mark for a whole file."""
    return re.sub(r"^((?:async def|def|class) .*)$", r"\1  # pragma: no cover", text, flags=re.MULTILINE)


def _shared_code(template: str) -> tuple[str, ...]:
    """The functions and constants that a module shares with this package, as far as ``template`` comes to need them."""
    modules = ("generated/guidance.py", "generated/stubs.py")
    blocks = [block for module in modules for block in _blocks(disk.packaged(module).decode("utf-8"))]
    needed, texts = set[str](), [template]
    while texts:
        used = {name for text in texts for name in re.findall(r"\w+", text)}
        texts = [block for block in blocks if block not in needed and used & _defined(block)]
        needed.update(texts)
    return tuple(block for block in blocks if block in needed)


def _defined(block: str) -> set[str]:
    """The names that a block of top-level code gives a meaning to."""
    return set(re.findall(r"^(?:def |class )?(\w+)(?: *[(=:])", block, flags=re.MULTILINE))


def _blocks(source: str) -> Iterator[str]:
    """The top-level pieces between the markers, without imports: those are in the template."""
    shared = re.search(r"generated module: begin ---\n(.*?)\n# --- shared with the generated module: end", source, re.S)
    if shared is None:
        raise ValueError("the markers of the shared functions are missing")
    for block in re.split(r"\n{3,}", shared[1].strip()):
        text = "\n".join(line for line in block.splitlines() if not line.startswith("import ")).strip()
        if text:
            yield text
