"""Which object of which module a name means: imports are followed to the statement that binds it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pdmigrate.source.discover import is_test
from pdmigrate.understand.index.habits import is_special, speaks
from pdmigrate.understand.index.modules import Module, Tree
from pdmigrate.understand.index.syntax import FUNCTIONS
from pdmigrate.understand.index.units import Unit, Uses

Node = tuple[str, str]
"""A name at the level of a module: the module's path, and the name.  The name is empty for the module itself."""
_DEEPEST = 20
_WITH_BODIES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Import, ast.ImportFrom)


class Names:
    """Resolves the names of a tree, by syntax alone."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._origins: dict[Node, Node | None] = {}
        self._asked: set[Node] = set()  # the names whose origin is being looked for
        self._others: dict[Node, set[Node]] = {}  # what else a name may mean that is imported from several places
        self._closures: dict[Node, frozenset[Node]] = {}
        self._named: dict[Uses, set[Node]] = {}  # what code names, and the modules that it loads
        self.live: dict[Node, bool] = {}  # which names may hold values that can be changed (``demand.live``)
        self.code: dict[Node, bool] = {}  # which names may mean code of the program, as far as that was asked
        self.stored: set[Node] = set()
        """The names of what loaded code sets attributes of: a class or a function that keeps a list of its own."""
        self.methods: set[str] = set()  # the names of the methods of loaded classes
        self.changed: set[str] = set()  # the attributes that loaded code sets on objects other than its own
        self.speaks = False  # loaded code may run where objects are only read, compared or printed

    def origin(self, path: str, name: str) -> Node | None:
        """The module and the name that bind what ``name`` (a dotted chain) means in a module; ``None`` if none does.

        A chain is followed through modules; the rest of it (attributes of an object) is left out.
        """
        head, _, rest = name.partition(".")
        return self._through(self._head(path, head, 0), rest)

    def _through(self, found: Node | None, rest: str) -> Node | None:
        while found is not None and found[1] == "" and rest:
            head, _, rest = rest.partition(".")
            found = self._member(found[0], head, 0)
        return found

    def _head(self, path: str, name: str, depth: int) -> Node | None:
        key = (path, name)
        if key not in self._origins:
            self._origins[key] = key
            self._asked.add(key)
            self._origins[key] = self._followed(path, name, depth)
            self._asked.discard(key)
        return self._origins[key]

    def _followed(self, path: str, name: str, depth: int) -> Node | None:
        module = self.tree.module(path)
        if module is None or depth > _DEEPEST:
            return None
        units = module.bound.get(name)
        if not units and name in module.set_by_functions:
            return (path, name)
        if not units:
            return self._starred(module, name, depth)
        imported = [self._imported(module, unit, name, depth) for unit in units]
        targets = [item for found in imported for item in found if item[0]]
        if not all(imported):  # ``from store import NAMES`` and ``NAMES += more`` change one list
            starred = self._starred(module, name, depth)
            self._others[path, name] = {*targets, *([starred] if starred else [])}
            return (path, name)
        if not targets:
            return None
        self._others[path, name] = set(targets[1:])
        return targets[0] if len(units) == 1 or all(len(found) == 1 for found in imported) else (path, name)

    def _starred(self, module: Module, name: str, depth: int) -> Node | None:
        for target in self._stars(module):
            if (found := self._head(target, name, depth + 1)) is not None:
                return found
            if name in self._listed_modules(target) and (inner := self.tree.member(target, name)) is not None:
                return inner, ""
        return None

    def _stars(self, module: Module, unit: Unit | None = None) -> list[str]:
        """The modules whose names ``from another import *`` binds in a module, or in one statement of it."""
        own = module.starred if unit is None else [node for node, _ in unit.uses.imports if node in module.starred]
        found = (target for node in own for target in self.targets(module, node)[:1])
        return [target for target in found if target != module.path]

    def bound_by_stars(self, module: Module, unit: Unit) -> list[str]:
        """The names of a module that ``from another import *`` in a statement may bind once more."""
        stars = [node for node, _ in unit.uses.imports if node in module.starred] if module.starred else []
        if any(self.tree.beside(module, node) is None for node in stars):
            return [*module.bound]
        targets = self._stars(module, unit) if stars else []
        return [name for name in module.bound if any(self._head(target, name, 1) for target in targets)]

    def _imported(self, module: Module, unit: Unit, name: str, depth: int) -> list[Node]:
        """What the import statements in ``unit`` may bind ``name`` to: an empty path for a library."""
        aliases = [(node, alias) for node, inside in unit.uses.imports if not inside for alias in node.names]
        named = (each for each in aliases if name in (each[1].asname, each[1].name, each[1].name.partition(".")[0]))
        found = (self.imported(module, *each, depth) for each in named)
        return [*dict.fromkeys(each[1] for each in found if each is not None and each[0] == name)]

    def imported(
        self, module: Module, node: ast.Import | ast.ImportFrom, alias: ast.alias, depth: int = 0
    ) -> tuple[str, Node] | None:
        """The name that an import binds, and what it is; ``("", "")`` for what is not the program's."""
        if alias.name == "*":
            return None
        if isinstance(node, ast.Import):
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            return alias.asname or name, (self.tree.find(name, module.path) or "", "")
        target = self.tree.beside(module, node)
        found = self._member(target, alias.name, depth + 1) if target is not None else None
        return alias.asname or alias.name, found or ("", "")

    def _member(self, path: str, name: str, depth: int) -> Node | None:
        module = self.tree.module(path) if not path.endswith("/") else None
        asked = (path, name) in self._asked  # ``from package import module`` in the package itself
        if module is not None and name in module.bound and not asked and (found := self._head(path, name, depth)):
            return found
        if (inner := self.tree.member(path, name)) is not None:
            return inner, ""
        return self._head(path, name, depth) if not path.endswith("/") else None

    def resolved(self, module: Module, uses: Uses, kinds: set[str]) -> set[Node]:
        """The nodes that chains in ``kinds`` mean, imports inside functions included."""
        inner = (self.imported(module, node, alias) for node, inside in uses.imports if inside for alias in node.names)
        local = dict(found for found in inner if found is not None and found[1][0])
        nodes: set[Node | None] = set()
        for chain in kinds:
            head, _, rest = chain.partition(".")
            if head in local:
                nodes.add(self._through(local[head], rest))
            elif (found := self.origin(module.path, chain)) is not None:
                nodes |= {found, *self._others.get((module.path, head), ())}
        return {node for node in nodes if node is not None and node[0]}

    def body(self, node: Node) -> list[tuple[Module, Uses]]:
        """The code that may run when what ``node`` names is called or made."""
        if (module := self.tree.module(node[0])) is None:
            return []
        units = module.bound.get(node[1], ())
        found = [(module, unit.bodies[node[1]]) for unit in units if node[1] in unit.bodies]
        # What a variable holds may be an object of a class that its statement calls, or a lambda in it.
        return found + [(module, unit.uses) for unit in units if not isinstance(unit.node, _WITH_BODIES)]

    def closure(self, node: Node) -> frozenset[Node]:
        """The nodes that may be used when ``node`` is called, and all that these use in turn."""
        if node not in self._closures:
            found: set[Node] = set()
            stack = [node]
            while stack:
                for module, uses in self.body(stack.pop()):
                    if (named := self._named.get(uses)) is None:
                        named = {*self.resolved(module, uses, uses.names()), *self.loaded(module, uses)}
                        self._named[uses] = named
                    new = named - found
                    found |= new
                    stack += new
            self._closures[node] = frozenset(found)
        return self._closures[node]

    def loaded(self, module: Module, uses: Uses) -> list[Node]:
        return [(path, "") for node, inside in uses.imports if inside for path in self.targets(module, node)]

    def learn(self, module: Module) -> bool:
        """Take in what the code of a module does to others; whether something of it is new."""
        before = self._known()
        classes = [node for node in module.nodes if isinstance(node, ast.ClassDef)]
        for uses in module.uses:
            self.changed |= uses.changes
            self.stored |= self.resolved(module, uses, uses.stored)
        self.speaks = self.speaks or speaks(module.nodes) or any(map(is_special, self.changed))
        self.methods |= {each.name for node in classes for each in node.body if isinstance(each, FUNCTIONS)}
        if new := before != self._known():
            self.live.clear()
        return new

    def _known(self) -> tuple[int, ...]:
        return len(self.changed), self.speaks, len(self.stored), len(self.methods)

    def importers(self, path: str, *, tests: bool = True) -> Iterator[str]:
        """The files that import a module; ``tests`` come last, and are not even read where nobody wants them."""
        for user in sorted(self.tree.may_import(path), key=is_test):
            module = self.tree.module(user) if tests or not is_test(user) else None
            if module is not None and path in self.imports_of(module):
                yield user

    def imports_of(self, module: Module) -> list[str]:
        """The files that a module imports, in order; those inside functions last."""
        imports = sorted((each for uses in module.uses for each in uses.imports), key=lambda each: each[1])
        return [path for node, _ in imports for path in self.targets(module, node)]

    def is_hidden(self, module: Module, node: ast.AST, inner: str) -> bool:
        """Whether ``from package import name`` may find another thing of that name than the module ``inner``."""
        package = self.tree.beside(module, node) if isinstance(node, ast.ImportFrom) else None
        if package in (None, inner) or (owner := self.tree.module(package or "")) is None:
            return False
        name = inner.removesuffix("/__init__.py").removesuffix(".py").rpartition("/")[2]
        found = self.origin(owner.path, name)
        is_set = any(each.endswith(f".{name}") for uses in module.uses for each in uses.stored)
        if "__getattr__" in owner.bound:
            said = {getattr(each, "value", None) for each in owner.nodes} | {type(each) for each in owner.nodes}
            is_set |= name in said or ast.Raise not in said
        return is_set or (name in owner.bound if found is None else found[0] != inner)

    def _listed_modules(self, package: str | None) -> list[str]:
        """The names in the ``__all__`` of a package that it does not bind: ``*`` imports modules of these names."""
        module = self.tree.module(package or "")
        if module is None or not module.path.endswith("__init__.py"):
            return []
        values = (getattr(unit.node, "value", None) for unit in module.bound.get("__all__", ()))
        items = (item for value in values for item in getattr(value, "elts", ()) if isinstance(item, ast.Constant))
        return [item.value for item in items if isinstance(item.value, str) and item.value not in module.bound]

    def targets(self, module: Module, node: ast.Import | ast.ImportFrom) -> list[str]:
        names = [alias.name for alias in node.names]
        if isinstance(node, ast.Import):
            found = [self.tree.find(name, module.path) for name in names]
        elif target := self.tree.beside(module, node):
            names = self._listed_modules(target) if names == ["*"] else names
            found = [target, *(self.tree.member(target, name) for name in names)]
        else:
            return []
        return [path for path in found if path is not None and not path.endswith("/")]
