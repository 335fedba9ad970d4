"""The generated module, rendered from ``templates/``: one core, and one adapter per SDK major.

The text is a function of the spec alone: no version, no time, no path of this machine.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from pdmigrate import disk
from pdmigrate.stubs import STUB_SCHEMAS

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        pass
    else:
        pass

    from jinja2 import Environment

_WIDTH = 88
"""The line length that the module is laid out for: the default of the formatters people use."""


@dataclass(frozen=True, slots=True)
class ModuleSpec:
    """Everything that decides how one server's module reads."""

    adapter: str
    """The SDK major it connects to: ``mcp1`` for ``templates/adapter_mcp1.py.j2``; ``both`` chooses when it starts."""
    server_name: str | None
    """Makes the bridge's name, ``<server>_describe_tools``; None: taken from the server when it starts."""
    descriptions: str
    """The folder of description files, relative to the module, POSIX."""
    moved: tuple[str, ...]
    """The tools whose definitions are in files alone, sorted."""
    example_tool: str
    """A tool of this server that everyone may see, for the wording."""
    stub_schema: str = "skeleton"
    bridge: bool = True
    drop_output_schema: bool = False
    receipt: bool = False
    left: tuple[str, ...] = ()
    """The tools that are left out of the migration: listed in full and called as before, sorted."""


def render_module(spec: ModuleSpec) -> str:
    """The source of ``progressive_disclosure.py`` for one server.

    Raises:
        ValueError: ``stub_schema`` is not one of ``STUB_SCHEMAS``.
        jinja2.TemplateNotFound: there is no adapter of that name.
    """
    if spec.stub_schema not in STUB_SCHEMAS:
        raise ValueError(f"unknown stub schema {spec.stub_schema!r}")
    template = _environment().get_template(f"adapter_{spec.adapter}.py.j2")
    return template.render(
        spec=spec,
        bridge=bridge_name(spec.server_name) if spec.bridge and spec.server_name is not None else None,
        our_bridge="self._bridge" if spec.server_name is None else "BRIDGE",
        install="install" if spec.adapter != "both" else "install_{}",
        example="resource:///tool_descriptions?tools=" + quote(spec.example_tool, safe=""),
        http_policy="HttpPolicy" if spec.receipt else "Policy",
        stub_schema="schema" if spec.stub_schema == "full" else f"{spec.stub_schema}_schema(schema)",
        refusal_parameters=", ".join(
            ("self", "name: str", "caller: Caller") + (("tools: Iterable[str]",) if spec.bridge else ())
        ),
        shared=tuple(_shared_code(spec)),
    )


def bridge_name(server_name: str) -> str:
    """The bridge's name: in the characters, and short enough, for every host and provider."""
    stem = re.sub(r"[^a-z0-9]+", "_", server_name.lower())[:40].strip("_")
    return f"{stem}_describe_tools" if stem else "describe_tools"


def read_template(name: str) -> str:
    """The text of a file in ``templates/``.

    Raises:
        FileNotFoundError: there is none of that name.
    """
    text = disk.packaged(f"_templates/{name}", f"templates/{name}")
    if text is None:
        raise FileNotFoundError(name)
    return text.decode("utf-8")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    def load(name: str) -> str | None:
        try:
            return read_template(name)
        except FileNotFoundError:
            return None

    environment = Environment(
        loader=FunctionLoader(load),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["literal"] = _literal
    environment.filters["assignment"] = _assignment
    return environment


def _literal(text: str) -> str:
    """A string literal with the quotes that formatters choose: double, unless that takes more escapes."""
    quote_mark = "'" if text.count('"') > text.count("'") else '"'
    escaped = text.encode("unicode_escape") if not text.isprintable() else text.replace("\\", "\\\\").encode()
    return quote_mark + escaped.decode().replace(quote_mark, "\\" + quote_mark) + quote_mark


def _assignment(names: tuple[str, ...], target: str) -> str:
    """``TARGET = (...)`` in one line where it fits, else one name a line."""
    literals = [_literal(name) for name in names]
    line = f"{target} = ({', '.join(literals)}{',' if len(literals) == 1 else ''})"
    if len(line) <= _WIDTH:
        return line
    return "\n".join([f"{target} = (", *(f"    {literal}," for literal in literals), ")"])


def _shared_code(spec: ModuleSpec) -> Iterator[str]:
    """The functions that the generated module shares with this package, without those it does not need."""
    unused = {"open_schema" if spec.stub_schema == "skeleton" else "skeleton_schema"}
    unused |= set() if spec.bridge else {"describing_tool"}
    for module in ("guidance.py", "sentences.py", *(() if spec.stub_schema == "full" else ("stubs.py",))):
        for block in _blocks((disk.packaged(module) or b"").decode("utf-8")):
            defined = re.match(r"def (\w+)", block)
            if not (defined and defined[1] in unused):
                yield block


def _blocks(source: str) -> Iterator[str]:
    """The top-level pieces between the markers, without imports: those are in the template."""
    shared = re.search(r"generated module: begin ---\n(.*?)\n# --- shared with the generated module: end", source, re.S)
    if shared is None:
        raise ValueError("the markers of the shared functions are missing")
    for block in re.split(r"\n{3,}", shared[1].strip()):
        text = "\n".join(line for line in block.splitlines() if not line.startswith("import ")).strip()
        if text:
            yield text
