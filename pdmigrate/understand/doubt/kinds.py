"""What an expression may stand for, as far as names tell: a part of an SDK, a server, or what a server is made of."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from pdmigrate.sdk.families import CLASS_NAMES

SDK, SERVER, PART, MODULE = "sdk", "server", "part", "module"
SDK_ROOTS = frozenset({"mcp", "fastmcp", "mcp_types", "pydantic", "pydantic_core", "typing_extensions", "griffe"})
ROOTS = SDK_ROOTS | {"inspect", "typing", "annotated_types"}
"""The packages whose classes and functions decide what a tool's definition is."""
INNER = frozenset({"_tool_manager", "_mcp_server", "_lowlevel_server", "_local_provider", "_mounted_servers"})
"""The attributes that nothing but an SDK's server has."""
KEPT_IN = INNER | {"local_provider", "_components", "_providers", "providers", "_tools", "request_handlers"}
KEPT_IN |= {"_request_handlers", "_transforms", "_tool_transformations", "__dict__", "lifespan"}
"""The attributes of a server, or of a part of it, that decide what it lists."""


@dataclass(frozen=True, slots=True)
class Kind:
    """``what`` (``SDK``, ``SERVER``, ``PART``, ``MODULE``) and its dotted name, or the attribute that leads there."""

    what: str
    name: str


Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_TELLING = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.For, ast.withitem,
            ast.Call, ast.Delete, ast.keyword, ast.Dict)  # fmt: skip
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass
class File:
    """One parsed file: its scopes, and what the names in them stand for."""

    path: str
    tree: ast.Module
    names: dict[ast.AST, dict[str, Kind]] = field(default_factory=dict)
    above: dict[ast.AST, tuple[Scope, ...]] = field(default_factory=dict)
    """The scopes around each node, from the innermost out."""
    nodes: list[ast.AST] = field(default_factory=list)
    """The nodes that bind names, change something or call something."""
    functions: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)

    @classmethod
    def of(cls, path: str, tree: ast.Module) -> File:
        found = cls(path, tree)
        waiting: list[tuple[ast.AST, tuple[Scope, ...]]] = [(tree, (tree,))]
        while waiting:
            node, scopes = waiting.pop()
            for child in ast.iter_child_nodes(node):
                found.above[child] = scopes
                if isinstance(child, _TELLING):
                    found.nodes.append(child)
                if isinstance(child, FUNCTIONS):
                    found.functions.setdefault(child.name, []).append(child)
                elif isinstance(child, ast.ClassDef):
                    found.classes.setdefault(child.name, child)
                waiting.append((child, (child, *scopes) if isinstance(child, SCOPES) else scopes))
        return found

    def at_top(self, name: str) -> Kind | None:
        """What ``name`` stands for at the top of the file."""
        return self.names.get(self.tree, {}).get(name)

    def named(self, node: ast.AST, name: str) -> Kind | None:
        """What ``name`` stands for where ``node`` is."""
        for scope in (node, *self.above[node]):
            if name in self.names.get(scope, {}):
                return self.names[scope][name]
        return None

    def is_own(self, node: ast.Name) -> bool:
        """Whether a name is the ``self`` of a class that derives from no class of an SDK."""
        scopes = self.above[node]
        for inner, outer in pairwise(scopes):
            if isinstance(outer, ast.ClassDef) and isinstance(inner, FUNCTIONS):
                is_first = [each.arg for each in inner.args.args[:1]] == [node.id]
                return is_first and not any(self.is_of_sdk(base) for base in outer.bases)
        return False

    def is_of_sdk(self, base: ast.expr) -> bool:
        """Whether a base class is an SDK's, or derives from one in the same file."""
        waiting, seen = [base], set[str]()
        for each in waiting:
            name = ast.unparse(each).rpartition(".")[2]
            own = self.classes.get(name)
            if own is None and name in CLASS_NAMES:
                return True
            if own is not None and name not in seen:  # a class may be named like its base, which is another file's
                waiting += own.bases
            seen.add(name)
        return False


def texts(file: File, node: ast.expr | None, within: tuple[ast.expr | None, ...] = ()) -> frozenset[str] | None:
    """The texts that an expression may be, or hold; ``None`` if they are not plain to see in the file.

    ``within`` are the expressions that hold it.
    """
    if node in within:
        return None
    within = (*within, node)
    match node:
        case ast.Constant(value=str() as text):
            return frozenset({text})
        case ast.Set(elts=parts) | ast.List(elts=parts) | ast.Tuple(elts=parts):
            found = [texts(file, part, within) for part in parts]
            known = [each for each in found if each is not None]
            return frozenset().union(*known) if len(known) == len(found) else None
        case ast.Name(id=name):
            every = [each for each in file.nodes if name in _bound(each)]
            inner = ([each for each in every if file.above[each][0] is scope] for scope in file.above[node])
            bound = next(filter(None, inner), [])
            if len(bound) == 1 and isinstance(bound[0], (ast.For, ast.Assign, ast.AnnAssign)):
                return texts(file, bound[0].iter if isinstance(bound[0], ast.For) else bound[0].value, within)
    return None


def _bound(node: ast.AST) -> list[str]:
    """The names that a statement binds."""
    match node:
        case ast.Assign(targets=targets):
            parts = targets
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target) | ast.For(target=target):
            parts = [target]
        case _:
            return []
    return [each.id for part in parts for each in ast.walk(part) if isinstance(each, ast.Name)]


def lifespans(file: File) -> Iterator[ast.expr]:
    """What a file gives as a lifespan: a keyword of a call, or an entry of a dict of such keywords."""
    for node in file.nodes:
        if isinstance(node, ast.keyword) and node.arg == "lifespan":
            yield node.value
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "lifespan":
                    yield value


def place_in(files: Iterable[str], importer: str, module: str, level: int = 0) -> str | None:
    """The path among ``files`` that an import in the file ``importer`` means: by the end of the path."""
    folder = importer.split("/")[:-level] if level else []
    dotted = "/".join([*folder, *filter(None, module.split("."))])
    tails = (f"{dotted}.py", f"{dotted}/__init__.py")
    ends = () if level else tuple(f"/{tail}" for tail in tails)
    return next((path for path in files if path in tails or path.endswith(ends)), None)
