"""The names and attributes that a piece of code spells, and so may read and bind, found without evaluating the code."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field


@dataclass
class Effects:
    """Sets that may contain too much, never too little: a name outside a set certainly lacks the property."""

    names: set[str] = field(default_factory=set)
    """Names of variables."""
    attributes: set[str] = field(default_factory=set)
    """Names of attributes, and of imported modules and their parts."""
    stored: set[str] = field(default_factory=set)
    """Attributes that are assigned or deleted."""
    owners: set[str] = field(default_factory=set)
    """Variables with an attribute that is assigned or deleted."""
    rebound: set[str] = field(default_factory=set)
    """Names that are declared ``global`` or ``nonlocal``."""
    imports: set[tuple[int, str]] = field(default_factory=set)
    """Modules that may be imported: the number of leading dots, and the dotted name."""
    computed: bool = False
    """Whether the code may reach attributes whose names it does not spell."""
    called: set[str] = field(default_factory=set)
    """Variables that are called."""
    asked: set[str] = field(default_factory=set)
    """Variables with a method that is called: ``json`` in ``json.dumps()``."""
    indirect: bool = False
    """Whether the code calls a value that no name refers to, such as an element of a list."""
    anything: bool = False
    """Whether the code may reach variables whose names it does not spell."""


ANYTHING = Effects(computed=True, indirect=True, anything=True)
"""The effects of code that CPython cannot parse on its own."""

_GIVEN = frozenset({"getattr", "hasattr", "setattr", "delattr"})
"""Functions that take the name of an attribute as an argument."""
_COMPUTED = _GIVEN | {
    "attrgetter",
    "methodcaller",
    "vars",
    "__dict__",
    "__getattribute__",
    "__setattr__",
    "__delattr__",
}
_COMPUTED |= {"getmembers", "getmembers_static", "getattr_static"}
_EXECUTING = frozenset({"globals", "exec", "eval", "compile", "__import__", "gc", "runpy", "builtins"})
_EXECUTING |= {"__builtins__"}
"""Variables through which any other variable can be reached."""
_ANYTHING = frozenset({"import_module", "run_path", "run_module", "__globals__", "__closure__", "__code__", "modules"})
_ANYTHING |= {"f_globals", "f_locals", "f_back", "_getframe", "currentframe", "__subclasses__", "getmodule"}
"""Attributes, and imported names, through which any variable can be reached."""


def effects_of(code: str) -> Effects:
    """The effects of ``code``: a module, an expression, or whole lines that hold a definition."""
    for text in (code, f"if 1:\n{code}\n", f"({code}\n)"):
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return _found(tree)
    return ANYTHING


def _found(tree: ast.Module) -> Effects:
    found = Effects()
    literal: set[ast.AST] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=called) as function, args=[target, ast.Constant(value=str(name)), *_]) if (
                called in _GIVEN
            ):
                literal.add(function)
                found.attributes.add(name)
                if called in ("setattr", "delattr"):
                    found.stored.add(name)
                    found.owners |= {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}
        _add(found, node, node in literal)
        if isinstance(node, ast.Call):
            _call(found, node.func)
            found.indirect |= _calls_back(node)
    found.indirect |= not _CALLING.isdisjoint(found.attributes)
    return found


_CALLING = frozenset({"__call__", "__func__", "__wrapped__", "sort", "submit", "map", "apply", "run_in_executor"})
_CALLING |= {"to_thread", "add_done_callback", "call_soon", "call_later", "start_soon", "add_task"}
"""Attributes whose use may call a value that no name refers to."""


_HOOKS: dict[str, tuple[int, frozenset[str]]] = {
    **dict.fromkeys(("sub", "subn"), (0, frozenset({"repl"}))),
    **dict.fromkeys(
        ("load", "loads"),
        (2, frozenset({"cls", "object_hook", "object_pairs_hook", "parse_constant", "parse_float", "parse_int"})),
    ),
    **dict.fromkeys(("dump", "dumps"), (2, frozenset({"cls", "default"}))),
    "copytree": (3, frozenset({"copy_function", "ignore"})),
    "move": (2, frozenset({"copy_function"})),
    "rmtree": (2, frozenset({"onerror", "onexc"})),
    **dict.fromkeys(("walk", "fwalk"), (2, frozenset({"on_error", "onerror"}))),
    "indent": (2, frozenset({"predicate"})),
    "urlencode": (5, frozenset({"quote_via"})),
    "urlretrieve": (2, frozenset({"reporthook"})),
}
"""Functions of the standard library that may call an argument: the positional arguments before it, and its names."""


def _calls_back(call: ast.Call) -> bool:
    """Whether a call hands a value that may be a function to a function of ``_HOOKS``, which calls it."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name not in _HOOKS:
        return False
    first, names = _HOOKS[name]
    if name in ("sub", "subn"):
        # ``re.sub(pattern, repl, string)``, or ``pattern.sub(repl, string)``
        module = isinstance(function, ast.Attribute) and getattr(function.value, "id", "") == "re"
        handed = call.args[1:2] if module else call.args[: max(1, len(call.args) - 1)][:2]
    else:
        handed = call.args[first:]
    handed += [item for item in call.args if isinstance(item, ast.Starred)]
    handed += [item.value for item in call.keywords if item.arg is None or item.arg in names]
    return not all(isinstance(item, _NO_FUNCTION) for item in handed)


_NO_FUNCTION = (ast.Constant, ast.JoinedStr, ast.BinOp, ast.Lambda, ast.Dict)
"""Expressions that give no function, or one that is spelled here."""


def _call(found: Effects, function: ast.expr) -> None:
    method = isinstance(function, ast.Attribute)
    while isinstance(function, ast.Attribute):
        function = function.value
    if isinstance(function, ast.Name):
        (found.asked if method else found.called).add(function.id)
    elif not method:
        found.indirect = True


def _add(found: Effects, node: ast.AST, literal: bool) -> None:
    match node:
        case ast.Name(id=name):
            found.names.add(name)
            found.computed |= name in _COMPUTED and not literal
            found.anything |= name in _EXECUTING or (name != "modules" and name in _ANYTHING)
        case ast.Attribute(value=owner, attr=name, ctx=context):
            found.attributes.add(name)
            if type(context) is not ast.Load:
                found.stored.add(name)
                found.owners |= {owner.id} if isinstance(owner, ast.Name) else set()
            found.computed |= name in _COMPUTED
            found.anything |= name in _ANYTHING
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            found.rebound.update(names)
            found.names.update(names)
        case ast.Import(names=names):
            found.imports.update((0, alias.name) for alias in names)
            found.attributes.update(part for alias in names for part in alias.name.split("."))
        case ast.ImportFrom(module=module, names=names, level=level):
            base = module or ""
            found.imports.add((level, base))
            found.imports.update((level, f"{base}.{alias.name}".lstrip(".")) for alias in names)
            found.attributes.update(alias.name for alias in names)
            found.computed |= any(alias.name == "*" for alias in names)
        case ast.MatchClass(kwd_attrs=attributes, patterns=patterns):
            found.attributes.update(attributes)
            found.computed |= bool(patterns)
