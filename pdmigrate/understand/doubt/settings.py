"""Settings of an SDK that decide what is listed, wherever a project sets them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from pdmigrate.model import Site
from pdmigrate.understand.doubt.model import ALL, Doubt

DECIDING = re.compile(r"meta|tags?$|tool|schema|decorator|prefix|duplicate|parser|include|exclude", re.I)
"""What the names of such settings speak of (fastmcp 2.14, 3.4, 4.2); others concern transports, logs and clients."""
PREFIX = "FASTMCP_"
_VARIABLE = re.compile(r"\bFASTMCP_([A-Z][A-Z0-9_]*)")


def setting(name: str, site: Site, value: ast.expr | None = None) -> Iterator[Doubt]:
    """The doubt about a setting called ``name`` that the program or its surroundings give."""
    if not DECIDING.search(name):
        return
    if "meta" in name.lower():
        if not (isinstance(value, ast.Constant) and value.value is True):
            yield Doubt(f"the setting {name.lower()} of the SDK is changed", site, frozenset({"_meta"}), False, False)
    else:
        yield Doubt(f"the setting {name.lower()} of the SDK is changed", site, ALL)


def in_environment(path: str, tree: ast.Module) -> Iterator[Doubt]:
    """The settings that a program puts in its environment: every text that is such a name, unless it is only read."""
    read = {id(node) for call in ast.walk(tree) for node in _read(call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in read:
            found = _VARIABLE.fullmatch(node.value)
            if found is not None:
                yield from setting(found.group(1), Site(path, node.lineno))


def _read(node: ast.AST) -> Iterator[ast.AST]:
    """The names of variables that an expression only reads."""
    match node:
        case ast.Call(func=ast.Attribute(attr="getenv" | "get" | "pop"), args=[name, *_]):
            yield name
        case ast.Subscript(slice=name, ctx=ast.Load()):
            yield name


def in_text(path: str, text: str) -> Iterator[Doubt]:
    """The settings that a file beside the program gives: ``.env``, a Dockerfile, a host's configuration."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.lstrip().startswith("#"):
            for found in _VARIABLE.finditer(line):
                yield from setting(found.group(1), Site(path, number))
