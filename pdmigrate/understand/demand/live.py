"""Which names may hold values that can be changed: only these need the statements that use them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from pdmigrate.understand.index.habits import OF_FUNCTIONS, OF_TOOLS, is_special
from pdmigrate.understand.index.modules import Module
from pdmigrate.understand.index.naming import Names, Node
from pdmigrate.understand.index.syntax import (
    Function,
    annotations_of,
    bound_names,
    callee,
    chain,
    children,
    given_in,
    inside,
    walk,
)
from pdmigrate.understand.index.units import Unit

_FIXED = {
    *("str", "int", "float", "bool", "bytes", "len", "repr", "format", "isinstance", "issubclass", "hasattr"),
    *("abs", "any", "all", "round", "hash", "id", "ord", "chr", "frozenset", "callable", "type", "join", "strip"),
    *("lstrip", "rstrip", "lower", "upper", "title", "removeprefix", "removesuffix", "startswith", "endswith"),
    *("dedent", "cleandoc", "getdoc", "read_text", "getLogger", "get_logger", "getenv", "time", "monotonic"),
    *("perf_counter", "namedtuple", "compile", "auto", "wraps", "field", "Field", "dumps", "basicConfig"),
    *("setLevel", "exists", "dirname", "basename", "abspath", "resolve", "version", "uuid4", "now", "Path"),
    *("TypeVar", "NewType", "Lock", "RLock", "Event", "Semaphore", "Logger", "ParamSpec", "Console", "Optional"),
    *("Union", "Annotated", "Literal", "Query", "Body", "Header", "Depends"),
}
_HOLDING = {"frozenset", "type", "wraps", "field", "Field", "TypeVar", "NewType"}  # their results hold what they get
_OPEN = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp, ast.Await, ast.Lambda)


def is_live(names: Names, node: Node) -> bool:
    """Whether the value of a name may be changed in place, as far as the statements that bind it show."""
    known = names.live
    if node not in known:
        known[node] = True  # a name that is made of itself
        module = names.tree.module(node[0])
        late = node in names.stored or (module is not None and node[1] in module.set_by_functions)
        known[node] = late or any(_may_be(names, node, value) for value in _bindings(names, node))
    return known[node]


def is_code(names: Names, node: Node) -> bool:
    """Whether a name may mean code of the program, or something that it made, where a logger or a builtin is usual."""
    if node in names.code or (module := names.tree.module(node[0])) is None:
        return names.code.get(node, True)
    names.code[node] = False  # a name that is made of itself
    units = [unit.node for unit in module.bound.get(node[1], ())]
    defined = any(each.name == node[1] for unit in units for each in _definitions(unit))
    values = [part for unit in units for value in _values(unit, node[1]) for part in walk(value)]
    made = any(isinstance(part, (ast.stmt, ast.pattern, *_OPEN)) for part in values)
    used = (is_code(names, each) for part in values if (each := names.origin(node[0], chain(part))) is not None)
    names.code[node] = defined or made or node[1] in module.set_by_functions or any(used)
    return names.code[node]


def _bindings(names: Names, node: Node) -> Iterator[ast.AST]:
    module = names.tree.module(node[0])
    for unit in module.bound.get(node[1], ()) if module is not None else ():
        yield from _values(unit.node, node[1])
        named = (item for item in _definitions(unit.node) if item.name == node[1])
        yield from (item for item in named if _is_open(names, node, item))


Definition = Function | ast.ClassDef


@lru_cache(maxsize=50_000)
def _definitions(statement: ast.AST) -> list[Definition]:
    return [item for item in walk(statement) if isinstance(item, Definition)]


def _is_open(names: Names, node: Node, item: Definition) -> bool:
    """Whether a function or a class may be changed, or keeps something that may be."""
    if any(_is_own(names, node, each) or _last(each) in ("cache", "lru_cache") for each in item.decorator_list):
        return True
    if not isinstance(item, ast.ClassDef):
        if OF_TOOLS & names.changed and any(_last(decorator) == "tool" for decorator in item.decorator_list):
            return True
        kept = (*_defaults(item), *given_in(annotations_of(item)))
        return bool(OF_FUNCTIONS & names.changed) or any(_may_be(names, node, value) for value in kept)
    if names.changed & {"?", "__init__", "__new__", *bound_names(item.body)} or any(map(is_special, names.changed)):
        return True
    stored = (part for part in walk(item) if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store))
    if any(chain(part.value) != "self" for part in stored):
        return True
    if any(isinstance(part, (ast.Import, ast.ImportFrom)) for part in item.body):
        return True
    methods = [part for part in item.body if isinstance(part, Function)]
    parts = [*inside(item.body)]
    classes = [part for part in parts if isinstance(part, ast.ClassDef)]
    values = [part.value for part in parts if isinstance(part, (ast.Assign, ast.AnnAssign)) and part.value]
    values += given_in(part.annotation for part in parts if isinstance(part, ast.AnnAssign))
    return any(_is_open(names, node, part) for part in (*methods, *classes)) or any(
        _may_be(names, node, value) for value in (*values, *item.bases)
    )


def _defaults(function: Function | ast.Lambda) -> list[ast.expr]:
    return [value for value in (*function.args.defaults, *function.args.kw_defaults) if value is not None]


def _last(decorator: ast.expr) -> str:
    """The last of the names in a decorator, a base or a call."""
    named = callee(decorator)
    return named.id if isinstance(named, ast.Name) else getattr(named, "attr", "")


def handed_on(module: Module, unit: Unit) -> set[Node]:
    """The functions and classes of a statement that a decorator hands to a library, which may call them."""
    inner = [unit.node, *unit.node.body] if isinstance(unit.node, ast.ClassDef) else [unit.node]
    written = {_last(each) for item in inner for each in getattr(item, "decorator_list", ())}
    return {(module.path, name) for name in unit.bodies} if written - _CALLING_NOTHING else set()


_CALLING_NOTHING = {
    *("tool", "resource", "prompt", "completion", "custom_route", "call_tool", "list_tools", "list_resources"),
    *("list_resource_templates", "read_resource", "list_prompts", "get_prompt", "set_logging_level", "route"),
    *("get", "post", "put", "patch", "delete", "command", "group", "option", "argument", "callback"),
    *("property", "setter", "deleter", "getter", "cached_property", "staticmethod", "classmethod", "wraps"),
    *("cache", "lru_cache", "contextmanager", "asynccontextmanager", "abstractmethod", "overload", "override"),
    *("dataclass", "final", "runtime_checkable", "total_ordering", "singledispatch", "computed_field"),
    *("field_validator", "model_validator", "validator", "root_validator", "field_serializer", "model_serializer"),
}
"""The last names of decorators whose functions run in requests, or where the program calls them."""


def _is_own(names: Names, node: Node, decorator: ast.expr) -> bool:
    """Whether a decorator is code of the program, which may return anything."""
    if not (name := chain(callee(decorator))):
        return True
    path, own = names.origin(node[0], name) or ("", "")
    module = names.tree.module(path)
    return module is not None and any(own in unit.bodies for unit in module.bound.get(own, ()))


def _values(statement: ast.AST, name: str) -> Iterator[ast.AST]:
    """The expressions whose value a statement gives to ``name``; the statement where it is not the value of one."""
    parts = [*inside([statement])]
    given: dict[ast.AST, ast.AST | None] = {}
    for part in parts:
        if isinstance(part, ast.Assign):
            given |= dict.fromkeys(part.targets, part.value)
        elif isinstance(part, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
            given[part.target] = part.value
    for part in parts:
        bound = isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and part.id == name
        value = given.get(part, statement) if bound else None
        if value is not None:
            yield value
        elif isinstance(part, ast.pattern) and name in (getattr(part, "name", None), getattr(part, "rest", None)):
            yield statement


def _may_be(names: Names, node: Node, value: ast.AST) -> bool:
    if isinstance(value, (ast.Constant, ast.JoinedStr, ast.Compare)):
        return False
    if isinstance(value, ast.Lambda):
        return any(_may_be(names, node, default) for default in _defaults(value))
    if isinstance(value, (ast.stmt, ast.pattern, *_OPEN)):
        return True
    if isinstance(value, ast.Call):
        name, last = chain(value.func), _last(value)
        own = names.origin(node[0], name) is not None if name else last in names.methods
        held = (part for part in walk(value) if last in _HOLDING and chain(part))
        return own or last not in _FIXED or any(_may_be(names, node, part) for part in held)
    if name := chain(value):
        origin = names.origin(node[0], name)
        return origin is not None and origin != node and is_live(names, origin)
    return any(_may_be(names, node, part) for part in children(value) if isinstance(part, ast.expr))
