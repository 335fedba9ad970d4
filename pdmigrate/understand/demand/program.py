"""The modules of a program as it runs: loaded in order, their names answered by the statements that make them.

Every statement at the level of a module has a position in the order in which Python would carry them out.  A name is
answered at a position by carrying out, in order, the statements up to there that bind it or may change its value; names
whose values may share parts form one group, whose statements are carried out together.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from itertools import takewhile

from pdmigrate.understand.demand.live import handed_on, is_code, is_live
from pdmigrate.understand.demand.positions import (
    ANYTHING,
    BEFORE,
    DISK,
    IMPORTS,
    LATER,
    Branch,
    Loaded,
    Place,
    Position,
    Slice,
)
from pdmigrate.understand.index.modules import Module, Tree
from pdmigrate.understand.index.naming import Names, Node
from pdmigrate.understand.index.units import Unit, Uses
from pdmigrate.understand.values.containers import Followed, Mutable
from pdmigrate.understand.values.core import CONDITION, MUTATED, Maybe, Unknown, Value
from pdmigrate.understand.values.joining import unsettled
from pdmigrate.understand.values.journal import forget, shown
from pdmigrate.understand.values.objects import Scope
from pdmigrate.understand.values.outside import External

_NEVER_SET = (External, Followed)  # what no program replaces under its name by text: objects of libraries, and servers


class Program:
    """What is loaded, in which order, and how far each group of names has been carried out."""

    def __init__(self, tree: Tree, names: Names) -> None:
        self.tree, self.names = tree, names
        self.loaded: dict[str, Loaded] = {}
        self.position: Position = (0.0,)
        self.carry_out: Callable[[Loaded, Unit], None] = lambda _loaded, _unit: None
        self.lose: Callable[[Mutable, Unknown], None] = forget
        self.active: list[Node] = []
        self.main: str | None = None  # the module that is run as a script
        self.required: frozenset[str] = frozenset()  # the distributions whose imports certainly succeed
        self.reflecting: set[str] = set()  # the modules whose names another module sets by text; ``?`` for all of them
        self.loads = False  # modules may be values that have other names
        self.kept: dict[Node, tuple[Unknown, bool]] = {}
        """The names in functions that a library may call at any time, with the reason, and whether they bind them."""
        self._slices: dict[Node, Slice] = {}
        self._waiting: list[Loaded] = []
        self._learned: set[str] = set()
        self.tried: dict[Position, bool] = {}
        """The places below which modules are loaded while somebody catches what they raise: an ``ImportError`` only?"""
        self.perhaps: dict[Position, Branch] = {}  # the same for modules loaded on a path that may not be taken
        self._count = 0
        self._places: dict[Node, list[Place]] = {}
        self._groups: dict[Node, Node] = {}
        self._members: dict[Node, list[Node]] = {}
        self._effects: dict[Node, frozenset[Node]] = {}
        self._of_code: dict[Uses, tuple[set[Node], set[Node]]] = {}  # what each piece of code uses, and may change

    def load(self, path: str, start: Position) -> Loaded | None:
        """The module at ``path``, loaded with everything it imports if it was not."""
        if path in self.loaded or (module := self.tree.module(path)) is None:
            return self.loaded.get(path)
        for number, package in enumerate(self._packages(path)):
            self.load(package, (*start, -1.0, number))  # packages come before the modules in them
        if path in self.loaded:
            return self.loaded[path]  # a package imports the module itself
        loaded = Loaded(module, start, Scope("module", module, None))
        loaded.scope.born = ()  # the names of a module are there before everything
        self.loaded[path] = loaded
        for unit in module.units:
            # Those of an ``if`` or a ``try`` are loaded when they are carried out.
            targets = self.names.targets(module, unit.node) if isinstance(unit.node, IMPORTS) else ()
            for number, target in enumerate(targets):  # one after the other
                at, known = (*start, unit.index, number), self.loaded.get(target)
                if (known is None or known.first > at) and self.names.is_hidden(module, unit.node, target):
                    self.perhaps[at] = Unknown(f"{target} may be hidden by a name of its package", CONDITION), None
                if known is not None and known.first > at:
                    self._move(known, at)
                self.load(target, at)
        self._waiting.append(loaded)
        return loaded

    def _learn(self, path: str) -> bool:
        """Take in what a module does to others, and the modules do that it may load later; whether it is new."""
        new, paths = False, [path]
        for each in paths:
            if each not in self._learned and (module := self.tree.module(each)) is not None:
                self._learned.add(each)
                new |= self.names.learn(module)
                paths += self.names.imports_of(module)
        return new

    def _packages(self, path: str) -> list[str]:
        return [package for package in self.tree.packages(path)[::-1] if package != path]

    def load_now(self, path: str, *, tried: bool | None = None, branch: Branch | None = None) -> set[str]:
        """Load a module that is imported inside a statement; the groups that are being carried out take it in at once.

        ``tried``: somebody catches what it raises, an ``ImportError`` only or anything.  ``branch``: the path on which
        it is imported.  The result: the modules that were to come later otherwise.
        """
        loaded = self.loaded.get(path)
        if loaded is not None and loaded.first <= self.position:
            return set()
        self._count += 1
        start = (*self.position[:-1], LATER + self._count)  # inside the present statement, its names are what they are
        moved = self._move(loaded, start) if loaded is not None else set()
        if loaded is None:
            if tried is not None:
                self.tried[start] = tried
            if branch is not None:
                self.perhaps[start] = branch
            self.load(path, start)
        for node in list(self.active):
            self.advance(node, self.position)
        return moved

    def _move(self, loaded: Loaded, start: Position) -> set[str]:
        """Put a module, and what it imports, to an earlier position than their order says."""
        moved: set[str] = set()
        packages = [self.loaded.get(each) for each in self._packages(loaded.module.path)]
        places = [*((each, (*start, -1.0, number)) for number, each in enumerate(packages)), (loaded, start)]
        while places:
            each, at = places.pop()
            if each is None or each.first <= at or each.module.path in moved:
                continue
            each.move(at)
            moved.add(each.module.path)
            for unit in each.module.units:
                targets = (path for node, _ in unit.uses.imports for path in self.names.targets(each.module, node))
                places += [(self.loaded.get(path), (*at, unit.index, number)) for number, path in enumerate(targets)]
        self._slices.clear()
        for node, known in self._places.items():
            if any(place[1].module.path in moved for place in known):
                self._places[node] = [(place[1].position(place[2]), place[1], place[2]) for place in known]
        return moved

    def _settle(self) -> None:
        """Enter the statements of all modules that were loaded since: what they do to others is known only together."""
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        self._slices.clear()
        new = [self._learn(loaded.module.path) for loaded in waiting]
        if any(new):
            self._effects.clear()
            self._of_code.clear()
            waiting = [*self.loaded.values()]  # what is new concerns the code of all
        for loaded in waiting:
            self._enter(loaded)

    def _enter(self, loaded: Loaded) -> None:
        for unit in loaded.module.units:
            for uses in (unit.uses, *unit.bodies.values()):
                self.loads |= any(name.rpartition(".")[2] in ("import_module", "modules") for name in uses.called)
                if uses.reflects:
                    loaded.reflects = min(loaded.reflects, (*loaded.start, unit.index))
                targets = (self.names.origin(loaded.module.path, name) for name in uses.reflected)
                self.reflecting |= {target[0] for target in targets if target is not None and target[1] == ""}
                self.reflecting |= {"?"} if "?" in uses.reflected else set()
                named = (alias.name for node, _ in uses.imports for alias in node.names)
                self.reflecting |= {self.main} if self.main is not None and "__main__" in named else set()
        for unit in loaded.module.units:
            touched = self.touched_by(loaded, unit)
            for node in touched:
                self._places.setdefault(node, []).append((loaded.position(unit), loaded, unit))
            shared = [node for node in touched if is_live(self.names, node)]
            loaded.live[unit.index] = shared if unit.is_main else shared[:1]
            for node in shared[1:] if not unit.is_main else ():
                self._union(shared[0], node)

    def _touched(self, module: Module, unit: Unit) -> set[Node]:
        """The nodes that a statement may change, or hand on, itself or in the functions that it calls."""
        nodes, found = self._used(module, unit.uses)
        # A function that a statement makes runs later; one that is called in it is among the nodes.
        inside = self.names.loaded(module, unit.uses) if not unit.binds or unit.is_main else ()
        loaded = [each for path, _ in inside for each in (*self._packages(path), path)]
        loaded += self._imported(module, unit) if not isinstance(unit.node, IMPORTS) else []
        nodes = nodes | handed_on(module, unit)
        return found.union(*map(self.effects, nodes), *map(self._of_module, loaded))

    def _imported(self, module: Module, unit: Unit) -> list[str]:
        imports = [node for node, inside in unit.uses.imports if not inside]
        found = [path for node in imports for path in self.names.targets(module, node)]
        return [each for path in found for each in (*self._packages(path), path)]

    def _used(self, module: Module, uses: Uses) -> tuple[set[Node], set[Node]]:
        """What code uses, and the nodes that it may change, or hand on, itself."""
        if (known := self._of_code.get(uses)) is None:
            known = self._of_code[uses] = self._looked_up(module, uses)
        return known

    def _looked_up(self, module: Module, uses: Uses) -> tuple[set[Node], set[Node]]:
        means = partial(self.names.resolved, module, uses)
        told = {name for call, name in uses.told if any(is_code(self.names, node) for node in means({call}))}
        reading = uses.read if self.names.speaks else told
        nodes = self.names.resolved(module, uses, uses.touched | uses.called | reading)
        found = {node for node in nodes if is_live(self.names, node)} | self.names.resolved(module, uses, uses.stored)
        for path in {path for path, name in self.names.resolved(module, uses, uses.touched) if not name}:
            found.update(self._of_a_value(path))
        found |= ({ANYTHING} if uses.reaches_anything else set()) | ({DISK} if uses.writes else set())
        return nodes, found | {(module.path, name) for name in uses.globals}

    def _of_a_value(self, path: str) -> Iterator[Node]:
        """The names of a module that may be changed where the module is a value: an argument, an element of a list.

        Whoever has a package has the modules in it.
        """
        folder = path.removesuffix("__init__.py")
        below = [each for each in self.loaded if folder != path and each.startswith(folder)]
        for each in {path, *below}:
            module = self.tree.module(each)
            yield from ((each, name) for name in (module.bound if module is not None else ()))

    def touched_by(self, loaded: Loaded, unit: Unit) -> set[Node]:
        """The nodes that a statement binds, or may change."""
        own = {*unit.binds, *self.names.bound_by_stars(loaded.module, unit)}
        return {(loaded.module.path, name) for name in own} | self._touched(loaded.module, unit)

    def effects(self, node: Node) -> frozenset[Node]:
        """The nodes that may be changed, or handed on, when what ``node`` names is called or used."""
        if node not in self._effects:
            self._effects[node] = frozenset()
            found: set[Node] = set()
            for item in (node, *self.names.closure(node)):
                for path in (*self._packages(item[0]), item[0]) if item[1] == "" else ():
                    found |= self._of_module(path)
                found.update(*(self._used(module, uses)[1] for module, uses in self.names.body(item)))
            self._effects[node] = frozenset(found)
        return self._effects[node]

    def _of_module(self, path: str) -> frozenset[Node]:
        """The nodes that loading a module may change."""
        key = (path, "<loading>")
        module = self.tree.module(path)
        if module is not None and key not in self._effects:
            self._effects[key] = frozenset()
            units = [unit for unit in module.units if not unit.is_main]
            inner = (self._of_module(each) for unit in units for each in self._imported(module, unit))
            found = (*(self._touched(module, unit) for unit in units), *inner)
            self._effects[key] = frozenset(node for nodes in found for node in nodes if node[0] != path)
        return self._effects.get(key, frozenset())

    def _root(self, node: Node) -> Node:
        while (above := self._groups.get(node, node)) != node:
            node = above
        return node

    def _union(self, first: Node, second: Node) -> None:
        one, other = self._root(first), self._root(second)
        if one != other:
            self._groups[other] = one
            self._members[one] = [*self._members.get(one, [one]), *self._members.pop(other, [other])]

    def slice_of(self, node: Node) -> Slice:
        """The statements that bind ``node`` or may change its value."""
        if (found := self._slices.get(node)) is None:
            live = is_live(self.names, node)
            root = self._root(node) if live else node
            members = [*self._members.get(root, [root]), ANYTHING] if live else [root]
            found = self._slices[root] = self._slices.get(root) or Slice(self._in_order(members))
            self._slices[node] = found
        return found

    def _in_order(self, members: list[Node]) -> list[Place]:
        places = (place for member in members for place in self._places.get(member, ()))
        running = (place for place in places if not place[2].is_main or place[1].module.path == self.main)
        found = {(place[0], place[1].module.path): place for place in running}
        return sorted(found.values(), key=lambda place: place[0])

    def advance(self, node: Node, position: Position) -> None:
        """Carry out what concerns ``node`` up to ``position``."""
        self._settle()
        self.active.append(node)
        try:
            while place := self.slice_of(node).next(position):
                self.perform(place, node)
        finally:
            self.active.pop()

    def perform(self, place: Place, node: Node | None = None) -> None:
        """Carry out a statement, and first what concerns all it may change, but for ``node``, which is asked for."""
        self._settle()
        at, loaded, unit = place
        for other in loaded.live.get(unit.index, ()) if unit.index not in loaded.done else ():
            if node is None or self._root(other) != self._root(node):
                self.advance(other, (*at[:-1], BEFORE))
        if unit.index in loaded.done:
            return
        loaded.done[unit.index] = set()
        before, self.position = self.position, at
        try:
            self.carry_out(loaded, unit)
        finally:
            self.position = before

    def bind(self, loaded: Loaded, name: str) -> None:
        # A module that the statement imports later comes behind this.
        loaded.bound[name] = (*self.position[:-1], LATER + self._count + 0.5)

    def read(self, path: str, name: str, *, handed_on: bool = False) -> Value | None:
        """The value of a name of a loaded module, here and now; ``None`` if it has none.

        ``handed_on``: the value only gets another name, so it does not matter what has become of its content since.
        """
        self._settle()
        loaded = self.loaded[path]
        node = (path, name)
        self.advance(node, self.position)
        origin = self.names.origin(path, name)
        if origin is not None and origin != node and origin[0] in self.loaded:
            self.advance(origin, self.position)  # what an imported name means may be changed later
        if name not in loaded.scope.data:
            return None
        found: Value = loaded.scope.data[name]
        if loaded.bound.get(name, ()) > self.position:
            why = Unknown(f"{name} is bound again after it is read here", MUTATED)
            return Maybe(unsettled(why, found), why)
        may_be_set = self.position >= loaded.reflects or not self.reflecting.isdisjoint((path, "?"))
        may_be_set |= self.loads and name in self.names.changed  # what is set may be an attribute of a module
        if may_be_set and not isinstance(found, _NEVER_SET):
            reason = f"the names of {loaded.module.name} may be set where they are not written"
            why = Unknown(reason, MUTATED, loaded.module.site(None))
            if isinstance(found, Mutable):
                self.lose(found, why)
            return why
        return found if handed_on else self._earlier(node, found)

    def caught_up(self, path: str, name: str, found: Value) -> Value:
        """``found``, which ``name`` of a module means by an import of all names, as it is here and now."""
        origin = self.names.origin(path, name)
        if origin is None or origin[0] not in self.loaded:
            return found
        self.advance(origin, self.position)
        return self._earlier(origin, found)

    def is_complete(self, path: str) -> bool:
        """Whether a module is loaded, and everything in it comes before the present position."""
        if (loaded := self.loaded.get(path)) is None:
            return False
        return (loaded.position(loaded.module.units[-1]) if loaded.module.units else loaded.first) < self.position

    def _earlier(self, node: Node, value: Value) -> Value:
        """``value``, unless it has been changed by what comes later than the present position."""
        if not isinstance(value, Mutable) or not is_live(self.names, node):
            return value
        later = takewhile(lambda place: place[0] > self.position, reversed(self.slice_of(node).places))
        changed = [changed for _, loaded, unit in later if (changed := loaded.done.get(unit.index))]
        if changed and not shown(value).isdisjoint(set().union(*changed)):
            why = Unknown(f"{node[1]} is changed again after it is read here", MUTATED)
            self.lose(value, why)  # whatever is done to it here is not done to the object
            return why
        return value


def statement_unit(statement: ast.stmt, index: int, uses: Uses) -> Unit:
    """A statement that the way to start a program adds to a module."""
    return Unit(statement, index, frozenset(), uses, {}, is_main=True)
