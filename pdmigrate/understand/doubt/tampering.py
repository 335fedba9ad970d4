"""Where a program changes a class, a function, a server or a setting of its SDK in place of using it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from pdmigrate.model import Site
from pdmigrate.understand.doubt.model import ALL, Doubt
from pdmigrate.understand.doubt.naming import KEPT_IN, PART, ROOTS, SDK, SERVER, File, Kind, Names, name_of, stored_by
from pdmigrate.understand.index.syntax import Function, callee

_WHO_CONNECTS = "mcp.server.auth."
"""The package of the official SDK that decides who may connect, and nothing of what is listed."""
DECIDING = re.compile(r"meta|tags?$|tool|schema|decorator|prefix|duplicate|parser|include|exclude", re.I)
"""What the names of such settings speak of (fastmcp 2.14, 3.4, 4.2); others concern transports, logs and clients."""
_VARIABLE = re.compile(r"\bFASTMCP_([A-Z][A-Z0-9_]*)")


def setting(name: str, site: Site, value: ast.expr | None = None) -> Iterator[Doubt]:
    """The doubt about a setting called ``name`` that the program or its surroundings give."""
    reason, of_meta = f"the setting {name.lower()} of the SDK is changed", "meta" in name.lower()
    is_usual = of_meta and isinstance(value, ast.Constant) and value.value is True
    if DECIDING.search(name) and not is_usual:
        yield Doubt(reason, site, frozenset({"_meta"}) if of_meta else ALL, not of_meta, not of_meta)


def in_text(path: str, text: str) -> Iterator[Doubt]:
    """The settings that a file names: one of the program, ``.env``, a Dockerfile, a host's configuration."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.lstrip().startswith("#"):
            for found in _VARIABLE.finditer(line):
                yield from setting(found.group(1), Site(path, number))


OWN = frozenset({"add_tool", "remove_tool", "list_tools", "get_tools", "get_tool", "run", "run_async", "mount"})
OWN |= {"import_server", "providers", "local_provider", "lifespan", "_lifespan", "_list_tools"}
OWN |= {"_tool_manager", "_mcp_server", "_lowlevel_server", "_local_provider", "_providers", "_components", "__class__"}
OWN |= {"_list_tools_mcp", "_handle_list_tools", "_mcp_list_tools", "request_handlers", "_request_handlers"}
"""The attributes of a server whose replacing changes what it lists, or how it registers."""
MUTATORS = frozenset({"pop", "popitem", "clear", "update", "setdefault", "append", "extend", "insert", "remove"})
MUTATORS |= {"discard", "__setitem__", "__delitem__", "reverse", "sort"}
_ELSEWHERE = re.compile(
    r"resource|prompt|completion|call_tool|version|name|instructions|icons|website|log|auth|ping|get_capabilities"
)
"""What of a low-level server has no say in its list of tools."""
_IDLE = re.compile("warn|^call_tool$")
"""What of a tool manager has no say in its list."""
_LOW_LEVEL = ("_mcp_server", "_lowlevel_server")
_PATCHING = re.compile(r"(^|_)patch(_|$)|^wrap_(object|function_wrapper)$|^patch_(object|function_wrapper)$")
AT_CALL = frozenset({"tool", "call_tool", "resource", "prompt", "custom_route", "read_resource", "get_prompt", "route"})
"""Decorators of functions that run when a client asks for something, after the list could be read."""


def tampering(names: Names) -> Iterator[Doubt]:
    """The places where the program tampers with its SDK, in the order of its files."""
    for file in names.files.values():
        for node in file.nodes:
            yield from _at(names, file, node)


def _at(names: Names, file: File, node: ast.AST) -> Iterator[Doubt]:
    if isinstance(node, ast.Call):
        yield from _called(names, file, node)
    for target in stored_by(node):
        for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
            if isinstance(part, (ast.Attribute, ast.Subscript)) and (base := names.kind(file, part.value)) is not None:
                yield from _stored(file, part, base, node)


def _stored(file: File, target: ast.Attribute | ast.Subscript, base: Kind, statement: ast.AST) -> Iterator[Doubt]:
    """The doubt about one target of an assignment or ``del``, a part of what ``base`` says."""
    deleted = isinstance(statement, ast.Delete)
    if isinstance(target, ast.Attribute):
        yield from _set(file, target, base, target.attr, getattr(statement, "value", None))
    elif base.what == PART and (not _is_handlers(base) or (deleted and _lists(target.slice))):
        yield from _by_hand(file, target, base, target.slice if deleted else None)
    elif base.what == SDK:
        yield from _configured(file, target, base.name)


def _set(file: File, node: ast.AST, base: Kind, attr: str, value: ast.expr | None = None) -> Iterator[Doubt]:
    """The doubt about setting or deleting ``attr`` of what ``base`` says."""
    if base.what == SDK:
        if base.name.endswith("settings"):
            yield from setting(attr, Site(file.path, getattr(node, "lineno", 1)), value)
        elif not base.name.startswith(_WHO_CONNECTS):
            yield from _configured(file, node, f"{base.name}.{attr}")
    elif base.what == SERVER and attr == "tool":  # followed, but fastmcp 2 calls its own decorator through the server
        for doubt in _touched(file, node, "tool of the server is replaced by the program"):
            yield replace(doubt, dialect="fastmcp2")
    elif base.what == SERVER and attr in OWN:
        yield from _touched(file, node, f"{attr} of the server is replaced by the program")
    elif base.what == PART and not (base.name in _LOW_LEVEL and _ELSEWHERE.search(attr)) and not _IDLE.search(attr):
        yield from _touched(file, node, f"{attr} in {base.name} of the server is replaced by the program")


def _configured(file: File, node: ast.AST, name: str) -> Iterator[Doubt]:
    """The doubt about what a program sets of an SDK; only schemas show how the models of arguments are configured."""
    of_arguments = name.endswith(".func_metadata.ArgModelBase.model_config")
    for doubt in _touched(file, node, f"{name} is changed by the program"):
        yield replace(doubt, fields=frozenset({"inputSchema"}), absent=False, more=False) if of_arguments else doubt


def _called(names: Names, file: File, call: ast.Call) -> Iterator[Doubt]:
    function = call.func
    name = name_of(function)
    if name in ("setattr", "delattr", "__setattr__", "__delattr__"):
        yield from _by_name(names, file, call)
    elif name in MUTATORS and isinstance(function, ast.Attribute):
        if (base := names.kind(file, function.value)) is None:
            return
        in_a_class = any(isinstance(scope, ast.ClassDef) for scope in file.above[call])
        is_followed = base.name == "_tools" and name in ("clear", "update") and not in_a_class
        if is_followed and getattr(names.kind(file, _whole(function.value)), "what", "") == SERVER:
            return
        if base.what == SDK and base.name.endswith(".model_config"):
            yield from _configured(file, call, base.name)
        if base.what == PART and (not _is_handlers(base) or not call.args or _lists(call.args[0])):
            yield from _by_hand(file, call, base, call.args[0] if name == "pop" and call.args else None)
    elif name in ("exec", "eval"):
        yield from _executed(file, call)
    elif _patches(function):
        yield from _patched(names, file, call)


def _whole(part: ast.expr) -> ast.expr:
    """What a part of a server is a part of."""
    while isinstance(part, ast.Attribute) and part.attr in KEPT_IN:
        part = part.value
    return part


def _by_name(names: Names, file: File, call: ast.Call) -> Iterator[Doubt]:
    """``setattr(x, name, value)``, and ``__setattr__`` of an object or of its class."""
    arguments = list(call.args)
    if isinstance(call.func, ast.Attribute) and len(arguments) < (3 if call.func.attr == "__setattr__" else 2):
        arguments.insert(0, call.func.value)
    if len(arguments) < 2 or (base := names.kind(file, arguments[0])) is None:
        return
    attr = arguments[1]
    if isinstance(attr, ast.Constant) and isinstance(attr.value, str):
        yield from _set(file, call, base, attr.value, arguments[2] if len(arguments) > 2 else None)
    elif base.what in (SDK, SERVER, PART):
        yield from _touched(file, call, f"an attribute of {_said(base)} is set by a name that is computed")


def _executed(file: File, call: ast.Call) -> Iterator[Doubt]:
    """A text that is executed and speaks of a server."""
    match call.args:
        case [ast.Constant(value=str() as text), *_]:
            servers = {name for scope in file.names.values() for name, kind in scope.items() if kind.what != "module"}
            if named := servers.intersection(re.findall(r"\w+", text)):
                yield from _touched(file, call, f"a text that names {min(named)} is executed")


def _patches(function: ast.expr) -> bool:
    """Whether a call is one of a library that replaces attributes: ``mock.patch``, ``mock.patch.object``."""
    parts = ast.unparse(function).split(".") if isinstance(function, (ast.Name, ast.Attribute)) else []
    return any(_PATCHING.search(part) for part in parts[-2:])


def _patched(names: Names, file: File, call: ast.Call) -> Iterator[Doubt]:
    for argument in call.args[:2]:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            if argument.value.partition(".")[0] in ROOTS:
                yield from _touched(file, call, f"{argument.value} is patched by the program")
                return
        elif (kind := names.kind(file, argument)) is not None and kind.what in (SDK, SERVER, PART):
            yield from _touched(file, call, f"{_said(kind)} is patched by the program")
            return


def _said(kind: Kind) -> str:
    return kind.name if kind.what == SDK else "the server" if kind.what == SERVER else f"{kind.name} of the server"


def _is_handlers(base: Kind) -> bool:
    return base.name in ("request_handlers", "_request_handlers")


def _lists(key: ast.expr) -> bool:
    """Whether the key of a handler may be the request to list tools."""
    text = ast.unparse(key)
    return "ListTools" in text or "tools/list" in text or not re.search(r"Request\b|['\"]", text)


def _touched(file: File, node: ast.AST, reason: str) -> Iterator[Doubt]:
    if not any(isinstance(scope, Function) and runs_at_call(scope) for scope in file.above[node]):
        yield Doubt(reason, Site(file.path, getattr(node, "lineno", 1)))


def _by_hand(file: File, node: ast.AST, base: Kind, removed: ast.expr | None) -> Iterator[Doubt]:
    """The doubt about what a server keeps something in; ``removed`` is the key of what is only taken out of it."""
    for doubt in _touched(file, node, f"{base.name} of the server is changed by hand"):
        yield replace(doubt, fields=frozenset()) if removed is not None and base.name == "_tools" else doubt


def runs_at_call(function: Function) -> bool:
    """Whether only a client's request runs a function, by its decorators."""
    return any(
        isinstance(each, ast.Attribute) and each.attr in AT_CALL for each in map(callee, function.decorator_list)
    )
