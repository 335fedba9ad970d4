"""A function and its registration as source, what the real SDK lists for it, and what is said here."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pdmigrate.model import Field, Known, Unknown
from pdmigrate.sdk.schemas.signatures import tool_fields
from pdmigrate.sdk.schemas.specs import FunctionSpec
from pdmigrate.understand.types.functions import function_spec
from pdmigrate.understand.values.containers import DictValue
from tests.schemas.comparing import values
from tests.schemas.oracle_client import ORACLE, PREAMBLE
from tests.support.answering import Answering

TYPES = """
from mcp.types import TextContent, ImageContent, EmbeddedResource, CallToolResult
try:
    from mcp.types import ToolAnnotations, AudioContent, ResourceLink, ContentBlock, Icon
except ImportError:
    pass
"""
FASTMCP = """
from fastmcp import Context, FastMCP
from fastmcp.utilities.types import Image
try:
    from fastmcp.utilities.types import File
except ImportError:
    pass
"""
INJECTED = "from fastmcp.tools import ToolResult\nfrom fastmcp.dependencies import Depends, CurrentContext"
RESULT = """
try:
    from fastmcp.tools.tool import ToolResult
except ImportError:
    pass
"""
OWN = {
    "mcp1-fastmcp": f"from mcp.server.fastmcp import Context, FastMCP, Image{TYPES}",
    "mcp2-mcpserver": f"from mcp.server.mcpserver import Context, MCPServer, Image{TYPES}",
    "fastmcp2": f"{FASTMCP}{RESULT}{TYPES}",
    "fastmcp3": f"{FASTMCP}{INJECTED}{TYPES}",
    "fastmcp4": f"{FASTMCP}{INJECTED}{TYPES}",
}
FAMILIES = tuple(OWN)


@dataclass(frozen=True)
class Case:
    """A module with a function ``f``, the options it is registered with, and the arguments of the server."""

    source: str
    options: str = "dict()"
    server: str = "dict()"
    future: bool = False
    families: tuple[str, ...] = FAMILIES

    def text(self, family: str) -> str:
        first = "from __future__ import annotations\n" if self.future else ""
        return f"{first}{PREAMBLE}{OWN[family]}\n{self.source}"

    def job(self, family: str) -> dict[str, Any]:
        modules = {"sample.server": self.text(family)}
        return {"modules": modules, "family": family, "options": self.options, "server": self.server}


class Oracle(Answering):
    """A process with one SDK; it says which versions it has."""

    def __init__(self, interpreter: Path | str) -> None:
        self.versions = _versions(interpreter)
        super().__init__(str(interpreter), "-X", "utf8", str(ORACLE), quiet=True)

    def ask(self, case: Case, family: str) -> dict[str, Any]:
        """``{"tool": ...}`` or ``{"error": ...}``."""
        answer: dict[str, Any] = self.answer(case.job(family))
        return answer


def _versions(interpreter: Path | str) -> dict[str, str]:
    code = (
        "import importlib.metadata as m, json\n"
        "names = ('mcp', 'fastmcp', 'pydantic')\n"
        "have = {d.metadata['Name'] for d in m.distributions()}\n"
        "print(json.dumps({n: m.version(n) if n in have else '' for n in names}))"
    )
    found = subprocess.run([str(interpreter), "-c", code], capture_output=True, text=True, check=True, timeout=60)
    versions: dict[str, str] = json.loads(found.stdout)
    return versions


def specs_of(case: Case, family: str, versions: Mapping[str, str]) -> tuple[FunctionSpec, Any, Any]:
    """The function of a case, the options of its registration, and those of its server."""
    text = f"{case.text(family)}\noptions_of_tool = {case.options}\noptions_of_server = {case.server}\n"
    names = ("f", "options_of_tool", "options_of_server")
    with values({"sample.server": text}, versions, *names) as (convert, (function, *given)):
        spec = function_spec(convert, function)
        assert isinstance(spec, FunctionSpec), spec
        options = []
        for value in given:
            assert isinstance(value, DictValue), value
            options.append(tuple((key.value, convert.value(item)) for key, item in value.data.values()))
        return spec, options[0], options[1]


def said(case: Case, family: str, versions: Mapping[str, str]) -> dict[str, Field]:
    function, options, server = specs_of(case, family, versions)
    return tool_fields(function, options, family, versions, server=server)


def wrong(fields: Mapping[str, Field], real: Mapping[str, Any]) -> dict[str, Any]:
    """What is claimed and not so: each with the claim and the truth.  ``real`` is empty for a server that fails."""
    if "tool" not in real:
        return {name: (item.value, real) for name, item in fields.items() if isinstance(item, Known)}
    tool = real["tool"]
    found: dict[str, Any] = {}
    for name in {*fields, *tool}:
        item = fields.get(name)
        if isinstance(item, Unknown):
            continue
        claim = item.value if item is not None else None
        if json.dumps(claim, sort_keys=True) != json.dumps(tool.get(name), sort_keys=True):
            found[name] = (claim, tool.get(name))
    return found
