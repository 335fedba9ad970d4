"""What the names of several files stand for: through imports, assignments, loops and the parameters of calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from pdmigrate.sdk.families import CLASS_NAMES
from pdmigrate.understand.doubt.kinds import (
    FUNCTIONS,
    INNER,
    KEPT_IN,
    MODULE,
    PART,
    ROOTS,
    SDK,
    SERVER,
    File,
    Kind,
    lifespans,
    place_in,
)

_ROUNDS = 4
"""How often the names are gone through: each round follows them through one more assignment or call."""


class Names:
    """The parsed files of one program."""

    def __init__(self, trees: Mapping[str, ast.Module]) -> None:
        self.files = {path: File.of(path, tree) for path, tree in trees.items()}
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
                    inner = [each for each in made.body if isinstance(each, FUNCTIONS)] if made is not None else []
                    starts = [each for each in inner if each.name == "__init__"]
                    for function in (*other.functions.get(value.id, ()), *starts):
                        for found in _received(other, function, [(0, Kind(SERVER, "lifespan"))]):
                            self._bind(*found)

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
        made = self.kind(file, call.func)
        last = ast.unparse(call.func).rpartition(".")[2] if isinstance(call.func, (ast.Name, ast.Attribute)) else ""
        if last in CLASS_NAMES or (last in file.classes and file.is_of_sdk(ast.Name(last))):
            return Kind(SERVER, last)
        first = call.args[0] if call.args else None
        if last == "vars" and first is not None:
            found = self.kind(file, first)
            return found and (Kind(PART, "__dict__") if found.what == SERVER else found)
        if last == "import_module" and isinstance(first, ast.Constant) and isinstance(first.value, str):
            return _outside(first.value)
        if last == "getattr" and first is not None and len(call.args) > 1:
            return self._got(file, first, call.args[1])
        return Kind(PART, made.name) if made is not None and made.what == PART and last == "get" else None

    def _got(self, file: File, value: ast.expr, name: ast.expr) -> Kind | None:
        """``getattr(value, name)``; with a name that is computed, it may be any part of a server."""
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            return self._attribute(file, value, name.value)
        found = self.kind(file, value)
        return Kind(PART, "an attribute") if found is not None and found.what in (SERVER, PART) else None

    # --- one round ----------------------------------------------------------------------------------------------------

    def _learn(self, file: File, node: ast.AST) -> None:
        """Learn names from one statement or call."""
        match node:
            case ast.Import() | ast.ImportFrom():
                for name, kind in self._imported(file, node):
                    self._bind(file, file.above[node][0], name, kind)
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
                for of, function, name, kind in self._parameters(file, node):
                    self._bind(of, function, name, kind)

    def _bind(self, file: File, scope: ast.AST, name: str, kind: Kind) -> None:
        """Let ``name`` stand for ``kind`` in a scope, unless it stands for something already."""
        names = file.names.setdefault(scope, {})
        if name not in names:
            names[name] = kind
            self._learned = True

    def _imported(self, file: File, node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Kind]]:
        for alias in node.names:
            if isinstance(node, ast.Import):
                name = alias.asname or alias.name.partition(".")[0]
                full = alias.name if alias.asname else name
                own = place_in(self.files, file.path, full)
                found = Kind(MODULE, own) if own is not None else _outside(full)
            else:
                name, found = alias.asname or alias.name, self._from(file, node, alias.name)
            if found is not None:
                yield name, found

    def _from(self, file: File, node: ast.ImportFrom, name: str) -> Kind | None:
        module = node.module or ""
        own = place_in(self.files, file.path, module, node.level) if module else None
        if own is not None and (found := self.files[own].at_top(name)) is not None:
            return found
        part = place_in(self.files, file.path, f"{module}.{name}" if module else name, node.level)
        if part is not None and part != own:
            return Kind(MODULE, part)
        return None if node.level or own is not None else _outside(f"{module}.{name}")

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

    def _parameters(self, file: File, call: ast.Call) -> Iterator[tuple[File, ast.AST, str, Kind]]:
        """The parameters of the program's functions that stand for something because of ``call``."""
        given: list[tuple[int | str, Kind]] = []
        keywords = [(each.arg, each.value) for each in call.keywords if each.arg is not None]
        places: list[tuple[int | str, ast.expr]] = [*enumerate(call.args), *keywords]
        for place, value in places:
            if (kind := self.kind(file, value)) is not None and kind.what != MODULE:
                given.append((place, kind))
        if given and isinstance(call.func, (ast.Name, ast.Attribute)):
            name = call.func.id if isinstance(call.func, ast.Name) else call.func.attr
            for other in self.files.values():
                for function in other.functions.get(name, ()):
                    yield from _received(other, function, given)


def _received(
    file: File, function: ast.FunctionDef | ast.AsyncFunctionDef, given: list[tuple[int | str, Kind]]
) -> Iterator[tuple[File, ast.AST, str, Kind]]:
    parameters = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    if parameters[:1] in (["self"], ["cls"]) and isinstance(file.above[function][0], ast.ClassDef):
        parameters = parameters[1:]
    known = {*parameters, *(each.arg for each in function.args.kwonlyargs)}
    for place, kind in given:
        name = place if isinstance(place, str) else parameters[place] if place < len(parameters) else ""
        if name in known and name not in file.names.get(function, {}):
            yield file, function, name, kind


def _outside(dotted: str) -> Kind | None:
    return Kind(SDK, dotted) if dotted.partition(".")[0] in ROOTS else None
