"""What the names of several files stand for: a part of an SDK, a server, or what a server is made of."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from pdmigrate.sdk.families import CLASS_NAMES, IMPORTED
from pdmigrate.understand.index import naming as index
from pdmigrate.understand.index.modules import Tree
from pdmigrate.understand.index.syntax import Function, children, walk

SDK, SERVER, PART, MODULE = "sdk", "server", "part", "module"
SDK_ROOTS = IMPORTED | {"pydantic", "pydantic_core", "typing_extensions", "griffe"}
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


_TELLING = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.For, ast.withitem,
            ast.Call, ast.Delete, ast.keyword, ast.Dict, ast.Subscript)  # fmt: skip


@dataclass
class File:
    """One parsed file: its scopes, and what the names in them stand for."""

    path: str
    tree: ast.Module
    names: dict[ast.AST, dict[str, Kind]] = field(default_factory=dict)
    above: dict[ast.AST, tuple[ast.AST, ...]] = field(default_factory=dict)
    """The scopes around each node, from the innermost out."""
    nodes: list[ast.AST] = field(default_factory=list)
    """The nodes that bind names, change something or call something."""
    functions: dict[str, list[Function]] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)

    def __post_init__(self) -> None:
        waiting: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(self.tree, (self.tree,))]
        while waiting:
            node, scopes = waiting.pop()
            for child in children(node):
                self.above[child] = scopes
                if isinstance(child, _TELLING):
                    self.nodes.append(child)
                if isinstance(child, Function):
                    self.functions.setdefault(child.name, []).append(child)
                elif isinstance(child, ast.ClassDef):
                    self.classes.setdefault(child.name, child)
                is_scope = isinstance(child, (Function, ast.Lambda, ast.ClassDef))
                waiting.append((child, (child, *scopes) if is_scope else scopes))

    def at_top(self, name: str) -> Kind | None:
        """What ``name`` stands for at the top of the file."""
        return self.names.get(self.tree, {}).get(name)

    def named(self, node: ast.AST, name: str) -> Kind | None:
        """What ``name`` stands for where ``node`` is."""
        scopes = (self.names.get(scope, {}) for scope in (node, *self.above[node]))
        return next((names[name] for names in scopes if name in names), None)

    def is_own(self, node: ast.Name) -> bool:
        """Whether a name is the ``self`` of a class that derives from no class of an SDK."""
        scopes = self.above[node]
        for inner, outer in pairwise(scopes):
            if isinstance(outer, ast.ClassDef) and isinstance(inner, Function):
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
            stored = ((each, part) for each in file.nodes for target in stored_by(each) for part in walk(target))
            every = [each for each, part in stored if isinstance(part, ast.Name) and part.id == name]
            inner = ([each for each in every if file.above[each][0] is scope] for scope in file.above[node])
            bound = next(filter(None, inner), [])
            if len(bound) == 1 and isinstance(bound[0], (ast.For, ast.Assign, ast.AnnAssign)):
                return texts(file, bound[0].iter if isinstance(bound[0], ast.For) else bound[0].value, within)
    return None


def stored_by(node: ast.AST) -> list[ast.expr]:
    """What a statement sets, binds or deletes."""
    match node:
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            return targets
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target, value=ast.expr()) | ast.For(target=target):
            return [target]
        case ast.withitem(optional_vars=ast.expr() as target):
            return [target]
    return []


def name_of(node: ast.AST) -> str:
    """The name, or the attribute, that a node is; empty for other nodes."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def lifespans(file: File) -> Iterator[ast.expr]:
    """What a file gives as a lifespan: a keyword of a call, or an entry of a dict of such keywords."""
    for node in file.nodes:
        if isinstance(node, ast.keyword) and node.arg == "lifespan":
            yield node.value
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "lifespan":
                    yield value


_ROUNDS = 4
"""How often the names are gone through: each round follows them through one more assignment or call."""


class Names:
    """The parsed files of one program, some of those of ``tree``."""

    def __init__(self, tree: Tree, trees: Mapping[str, ast.Module]) -> None:
        self.tree, self._index = tree, index.Names(tree)
        self.files = {path: File(path, parsed) for path, parsed in trees.items()}
        self.attributes: dict[str, Kind] = {}
        """What attributes stand for that are assigned somewhere, by their name alone: ``self.server = FastMCP()``."""
        self._learned = False
        for file in self.files.values():
            self._lifespans(file)
        for _ in range(_ROUNDS):
            self._learned = False
            for file in self.files.values():
                for node in file.nodes:
                    self._learn(file, node)
            if not self._learned:
                break

    def _lifespans(self, file: File) -> None:
        """Let the first parameter of every function that is given as a lifespan stand for the server."""
        for value in lifespans(file):
            if isinstance(value, ast.Name):
                for other in self.files.values():
                    made = other.classes.get(value.id)
                    inner = [each for each in made.body if isinstance(each, Function)] if made is not None else []
                    starts = [each for each in inner if each.name == "__init__"]
                    for function in (*other.functions.get(value.id, ()), *starts):
                        self._receive(other, function, [(0, Kind(SERVER, "lifespan"))])

    def targets(self, path: str, node: ast.Import | ast.ImportFrom) -> list[str]:
        """The files of the program that an import in the file at ``path`` means."""
        module = self.tree.module(path)
        found = self._index.targets(module, node) if module is not None else []
        return [each for each in found if each in self.files]

    def functions(self, name: str) -> Iterator[tuple[str, Function]]:
        """The functions and methods with this name, each with its file."""
        return ((file.path, function) for file in self.files.values() for function in file.functions.get(name, ()))

    def kind(self, file: File, node: ast.expr) -> Kind | None:
        """What an expression stands for; ``None`` if it is nothing that matters."""
        match node:
            case ast.Name(id=name):
                return file.named(node, name)
            case ast.Attribute(value=value, attr=attr):
                return self._attribute(file, value, attr)
            case ast.Subscript(value=ast.Attribute(attr="modules"), slice=ast.Constant(value=str() as name)):
                return _outside(name)
            case ast.Subscript(value=ast.Attribute(attr="modules"), slice=name):
                return None if ast.unparse(name) == "__name__" else Kind(SDK, "a module of sys.modules")
            case ast.Subscript(value=value):
                found = self.kind(file, value)
                return found if found is not None and found.what == PART else None
            case ast.Call():
                return self._result(file, node)
            case ast.Await(value=value) | ast.NamedExpr(value=value):
                return self.kind(file, value)
            case ast.BoolOp(values=values):
                return next(filter(None, (self.kind(file, each) for each in values)), None)
            case ast.IfExp(body=body, orelse=other):
                return self.kind(file, body) or self.kind(file, other)
        return None

    def _attribute(self, file: File, value: ast.expr, attr: str) -> Kind | None:
        base = self.kind(file, value)
        if base is None:
            if isinstance(value, ast.Name) and file.is_own(value):
                return self.attributes.get(attr)
            return Kind(PART, attr) if attr in INNER else self.attributes.get(attr)
        if base.what == SDK:
            return Kind(SDK, f"{base.name}.{attr}")
        if base.what == MODULE:
            return self.files[base.name].at_top(attr)
        return Kind(PART, attr) if attr in KEPT_IN else None

    def _result(self, file: File, call: ast.Call) -> Kind | None:
        last = name_of(call.func)
        if last in CLASS_NAMES or (last in file.classes and file.is_of_sdk(ast.Name(last))):
            return Kind(SERVER, last)
        match last, call.args:
            case "vars", [value, *_]:
                found = self.kind(file, value)
                return found and (Kind(PART, "__dict__") if found.what == SERVER else found)
            case "import_module", [ast.Constant(value=str() as name), *_]:
                return _outside(name)
            case "getattr", [value, ast.Constant(value=str() as name), *_]:
                return self._attribute(file, value, name)
            case "getattr", [value, _, *_]:  # a name that is computed may be that of any part of a server
                found = self.kind(file, value)
                return Kind(PART, "an attribute") if found is not None and found.what in (SERVER, PART) else None
            case "get", _:
                found = self.kind(file, call.func)
                return found if found is not None and found.what == PART else None
        return None

    # --- one round ----------------------------------------------------------------------------------------------------

    def _learn(self, file: File, node: ast.AST) -> None:
        """Learn names from one statement or call."""
        match node:
            case ast.Import() | ast.ImportFrom():
                self._import(file, node)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._assign(file, target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                self._assign(file, target, value)
            case ast.For(target=target, iter=ast.Tuple(elts=values) | ast.List(elts=values)):
                for value in values:
                    self._assign(file, target, value)
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                self._assign(file, target, value)
            case ast.Call():
                self._call(file, node)

    def _bind(self, file: File, scope: ast.AST, name: str, kind: Kind) -> None:
        """Let ``name`` stand for ``kind`` in a scope, unless it stands for something already."""
        names = file.names.setdefault(scope, {})
        if name not in names:
            names[name] = kind
            self._learned = True

    def _import(self, file: File, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            if isinstance(node, ast.Import):
                name = alias.asname or alias.name.partition(".")[0]
                full = alias.name if alias.asname else name
                own = self.tree.find(full, file.path)
                found = Kind(MODULE, own) if own in self.files else _outside(full)
            else:
                name, found = alias.asname or alias.name, self._from(file, node, alias.name)
            if found is not None:
                self._bind(file, file.above[node][0], name, found)

    def _from(self, file: File, node: ast.ImportFrom, name: str) -> Kind | None:
        module = self.tree.module(file.path)
        own = self.tree.beside(module, node) if module is not None else None
        if own in self.files and (found := self.files[own].at_top(name)) is not None:
            return found
        part = self.tree.member(own, name) if own is not None else None
        if part in self.files:
            return Kind(MODULE, part)
        return None if node.level or own is not None else _outside(f"{node.module}.{name}")

    def _assign(self, file: File, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for part, each in zip(target.elts, value.elts, strict=True):
                self._assign(file, part, each)
            return
        found = self.kind(file, value)
        if found is None:
            return
        if isinstance(target, ast.Name):
            self._bind(file, file.above[target][0], target.id, found)
        elif isinstance(target, ast.Attribute) and found.what == SERVER and target.attr not in self.attributes:
            self.attributes[target.attr] = found
            self._learned = True

    def _call(self, file: File, call: ast.Call) -> None:
        """Learn what the parameters of the program's functions stand for."""
        keywords = [(each.arg, each.value) for each in call.keywords if each.arg is not None]
        places: list[tuple[int | str, ast.expr]] = [*enumerate(call.args), *keywords]
        kinds = [(place, self.kind(file, value)) for place, value in places]
        given = [(place, kind) for place, kind in kinds if kind is not None and kind.what != MODULE]
        for path, function in self.functions(name_of(call.func)) if given else ():
            self._receive(self.files[path], function, given)

    def _receive(self, file: File, function: Function, given: Iterable[tuple[int | str, Kind]]) -> None:
        parameters = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
        if parameters[:1] in (["self"], ["cls"]) and isinstance(file.above[function][0], ast.ClassDef):
            parameters = parameters[1:]
        known = {*parameters, *(each.arg for each in function.args.kwonlyargs)}
        for place, kind in given:
            name = place if isinstance(place, str) else parameters[place] if place < len(parameters) else ""
            if name in known:
                self._bind(file, function, name, kind)


def _outside(dotted: str) -> Kind | None:
    return Kind(SDK, dotted) if dotted.partition(".")[0] in ROOTS else None
