"""The statements of a module, one by one: which names each binds, which it may change, and which it only reads.

A name is *touched* where its value flows on: into another name, into a container, into a call, or where it is changed
in place.  A name that is only compared, tested or formatted is *read*: nothing can change through that.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pdmigrate.understand.index.syntax import (
    annotations_of,
    bound_names,
    callee,
    chain,
    children,
    given_in,
    inside,
    local_names,
    walk,
)

_HARMLESS = frozenset({"len", "str", "int", "float", "bool", "isinstance", "issubclass", "print", "repr", "id", "hash"})
"""Builtins through which nothing flows on that could be changed."""


@dataclass(eq=False)
class Uses:
    """The names of the module around it that a piece of code uses.

    ``touched`` and ``read`` hold dotted chains as written (``TOOLS``, ``table.TOOLS``); ``stored`` those whose
    attributes are set or deleted; ``imports`` are the import statements, with whether they are inside functions;
    ``reflects``: whether the code reaches for its module's names by text.
    """

    touched: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    imports: list[tuple[ast.Import | ast.ImportFrom, bool]] = field(default_factory=list)
    told: set[tuple[str, str]] = field(default_factory=set)  # calls that seem to read only, and what each gets
    reflects: bool = False
    reflected: set[str] = field(default_factory=set)
    """What names may be set of by text, with ``setattr`` or through a dict: a module, perhaps; ``?`` for any module."""
    asked: set[str] = field(default_factory=set)
    """What is asked for a name that is no text in the code, by ``getattr`` or ``getmembers``: a module, perhaps."""
    globals: set[str] = field(default_factory=set)
    changes: set[str] = field(default_factory=set)
    """The attributes that are set on other objects than ``self``; ``?`` for one whose name is a value."""
    writes: bool = False  # it may write, move or delete files
    gathers: bool = False  # it gets hold of all values of its module: ``globals().items()``

    @property
    def reaches_anything(self) -> bool:
        """Whether anything may change by the code, which gathers values, or loads modules whose names are values."""
        return self.gathers or any(name.rpartition(".")[2] in _LOADING for name in self.called)

    def names(self) -> set[str]:
        return self.touched | self.read | self.called | self.stored


@dataclass(eq=False)
class Unit:
    """One statement at the level of a module."""

    node: ast.stmt
    index: int
    binds: frozenset[str]
    uses: Uses
    bodies: dict[str, Uses]
    """The uses of the functions and classes that the statement defines, by their names: what happens when they run."""
    is_main: bool = False  # it is ``if __name__ == "__main__":``, and nothing else


def units_of(tree: ast.Module) -> tuple[Unit, ...]:
    made: list[Unit] = []
    for index, node in enumerate(tree.body):
        reader = _Reader()
        reader.statement(node)
        made.append(Unit(node, index, frozenset(bound_names([node])), reader.uses, reader.bodies, _is_guard(node)))
    return tuple(made)


def _is_guard(node: ast.stmt) -> bool:
    """Whether a statement does nothing where its module is imported."""
    if not isinstance(node, ast.If) or node.orelse:
        return False
    tests = node.test.values if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And) else [node.test]
    plain = (test for test in tests if isinstance(test, ast.Compare) and [*map(type, test.ops)] == [ast.Eq])
    guard = {"__name__", "'__main__'"}
    return any({ast.unparse(test.left), ast.unparse(test.comparators[0])} == guard for test in plain)


def _is_globals(node: ast.AST) -> bool:
    """Whether an element, or an attribute, is read of ``globals()``."""
    if not isinstance(node, (ast.Subscript, ast.Attribute)) or not isinstance(node.ctx, ast.Load):
        return False
    return isinstance(node.value, ast.Call) and chain(node.value.func) == "globals"


_PARTS = {
    *("__annotations__", "__dict__", "__kwdefaults__", "__code__", "model_fields", "__pydantic_fields__"),
    *("model_config", "Config", "model_rebuild"),
}
"""Attributes of functions and classes that are parts of them: what is done to such a value is done to its owner."""
_OF_TOOLS = frozenset({"enable", "disable", "tags", "meta", "parameters", "output_schema", "icons", "annotations"})
"""The methods by which tools are changed, and the attributes whose content may be changed."""
_LOGGING = re.compile(r"(_?logger|log|logging|LOGGER)(\.[a-z]+)*\.(debug|info|warn(ing)?|error|exception|critical|log)")
"""Calls that write what they are given to a log."""
_LOADING = frozenset(
    {"import_module", "__import__", "exec_module", "walk_packages", "run_module", "run_path", "modules", "reload"}
)
"""Functions that load modules whose names are values, and the table of the loaded ones (``sys.modules``)."""
_WRITING = re.compile(
    r"(.*\.)?(write_text|write_bytes|rename|symlink_to|hardlink_to|unlink|rmtree|copy2|copyfile|copytree|move)"
    r"|os\.(remove|replace)|shutil\.\w+|\.replace 1|copy 2"
)
"""The functions that write, move or delete files; with the number of arguments if others have the same name."""
_GLOBALS = frozenset({"__globals__", "f_globals", "func_globals"})
"""Attributes that give the names of a module, whichever that is."""
_FINDING = {"__subclasses__", "get_objects", "get_referrers", "get_referents"}  # they give what nobody needs to name
_SETTING = {"setattr", "delattr", "__setattr__", "__delattr__"}  # where it is handed on, it may set any attribute
_SETTERS = {"setattr", "delattr", "object.__setattr__", "object.__delattr__"}  # calls of these show what they set
_READING = frozenset({"get", "items", "keys", "values", "copy"})
"""Methods of the dict of a module's names that change nothing."""


def _writes(call: ast.Call) -> bool:
    name, count = chain(call.func) or f".{getattr(call.func, 'attr', '')}", len(call.args)
    last = name.rpartition(".")[2]
    if last == "open":
        modes = call.args[1:2] if isinstance(call.func, ast.Name) else call.args[:1]
        modes = [*modes, *(each.value for each in call.keywords if each.arg == "mode")]
        return any(not isinstance(mode, ast.Constant) or mode.value not in ("r", "rt", "rb") for mode in modes)
    numbered = not call.keywords and f"{'.' if '.' in name else ''}{last} {count}"
    return bool(_WRITING.fullmatch(name) or (numbered and _WRITING.fullmatch(numbered)))


def _read_again(statement: ast.AST) -> Iterator[str]:
    """The names that a part of a class body binds to what is there without the class: imported, or ``TOOLS = TOOLS``"""
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield from bound_names([statement])
    value = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
    read = {part.id for part in walk(value) if isinstance(part, ast.Name)} if value is not None else set()
    yield from (name for name in bound_names([statement]) if name in read)


class _Reader:
    """Collects the uses of one statement, and of the functions and classes in it."""

    def __init__(self) -> None:
        self.uses = Uses()
        self.bodies: dict[str, Uses] = {}
        self._local: list[frozenset[str]] = []
        self._quiet: tuple[str, ...] = ()  # the calls around that are taken to read only
        self._own: set[str] = {"self"}
        """Names whose attributes are no concern of others: the receiver, and functions that are being made."""

    def statement(self, node: ast.AST) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._defaults(node)
            self._inner(node.name, node)
        elif isinstance(node, ast.ClassDef):
            self._class(node)
        elif isinstance(node, (ast.If, ast.While, ast.Assert)):
            self.expression(node.test, flows=False)
            self._children(part for part in children(node) if isinstance(part, ast.stmt))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            self.uses.imports.append((node, bool(self._local)))
            self._reach(*(alias.name for alias in node.names))
        elif isinstance(node, ast.Global):
            self.uses.globals.update(node.names)
        elif isinstance(node, ast.expr):
            self.expression(node, flows=True)
        else:
            self._children(children(node))

    def _children(self, nodes: Iterable[ast.AST]) -> None:
        for child in nodes:
            self.statement(child)

    def _defaults(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        """The decorators of a function, the defaults of its parameters, and what calls in its annotations are given."""
        defaults = (item for item in (*node.args.defaults, *node.args.kw_defaults) if item is not None)
        for part in (*getattr(node, "decorator_list", ()), *defaults, *given_in(annotations_of(node))):
            self.expression(part, flows=True)

    def _class(self, node: ast.ClassDef) -> None:
        for part in (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)):
            self.expression(part, flows=True)
        again = {name for each in inside(node.body) for name in _read_again(each)}
        own = frozenset(bound_names(node.body)) - again
        methods = [item for item in node.body if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))]
        self._local.append(own)
        self._children(item for item in node.body if item not in methods)
        for method in methods:
            self._defaults(method)
        self._local.pop()
        for method in methods:
            self._inner(node.name, method)

    def _inner(self, name: str, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Read a function's body: its uses, and its defaults', belong to ``name``, what is defined outermost."""
        outer, depth = self.uses, len(self._local)
        if not depth:
            self.uses = self.bodies.setdefault(name, Uses())
            self._defaults(node)
        imported = (each for each in inside(node.body) if isinstance(each, (ast.Import, ast.ImportFrom)))
        self._local.append(local_names(node) - {*bound_names(imported)})
        own = self._own
        self._own = own | {item.name for item in node.body if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))}
        self._children(node.body)
        self._own = own
        self._local.pop()
        self.uses = outer

    def expression(self, node: ast.AST, *, flows: bool) -> None:
        if name := chain(node):
            self._mention(name, node, flows=flows)
        elif isinstance(node, ast.Call):
            self._call(node, flows=flows)
        elif isinstance(node, ast.Lambda):
            self._local.append(local_names(node))
            self.expression(node.body, flows=True)
            self._local.pop()
            self._defaults(node)
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            bound = (n.id for gen in node.generators for n in walk(gen.target) if isinstance(n, ast.Name))
            self._local.append(frozenset(bound))
            for child in children(node):
                self.expression(child, flows=True)
            self._local.pop()
        elif isinstance(node, ast.Subscript):
            stored = isinstance(node.ctx, (ast.Store, ast.Del))
            if chain(node.value) == "sys.modules":
                self.uses.reflects |= flows and not stored
                self.uses.reflected |= {"?"} if flows and not stored and chain(node.slice) != "__name__" else set()
                self.uses.called |= {"sys.modules"} if flows else set()
            else:
                if _is_globals(node):
                    self._named(node.slice, flows=flows)
                flows = stored or (flows and not _is_globals(node))
                self.expression(node.value, flows=flows)
            self.expression(node.slice, flows=flows)  # a type keeps it, and so does a dict whose key it is
        elif isinstance(node, ast.NamedExpr):
            self.expression(node.value, flows=True)
        elif isinstance(node, ast.Attribute):
            stored = isinstance(node.ctx, (ast.Store, ast.Del))
            self.uses.reflected |= {"?"} if node.attr in _GLOBALS or (flows and node.attr == "__dict__") else set()
            self.uses.changes |= {node.attr} if stored or (flows and node.attr in _OF_TOOLS) else set()
            self._reach(node.attr if chain(callee(node.value)) != "super" else "")
            self.expression(node.value, flows=flows or stored)
        else:
            self._reach(node.value if isinstance(node, ast.Constant) else "")
            quiet = isinstance(node, (ast.Compare, ast.FormattedValue, ast.JoinedStr, ast.UnaryOp))
            for child in children(node):
                self.expression(child, flows=flows and not quiet and child is not getattr(node, "test", None))

    def _call(self, node: ast.Call, *, flows: bool) -> None:
        name = chain(node.func)
        local = any(name.partition(".")[0] in names for names in self._local)
        quiet = not local and (name in _HARMLESS or _LOGGING.fullmatch(name) is not None)
        self.uses.writes |= _writes(node)
        names = ("globals",) if self._local else ("globals", "vars", "locals")
        if (name == "exec" and len(node.args) < 2) or (name in names and flows and not node.args):
            self.uses.reflects = True
        by_name = name == "getattr" and len(node.args) > 1 and not isinstance(node.args[1], ast.Constant)
        if by_name or (name.rpartition(".")[2] in ("vars", "getmembers") and node.args):
            self.uses.asked.add(chain(node.args[0]))
        if (name == "vars" or name.rpartition(".")[2] == "reload") and node.args:
            self.uses.reflected.add(chain(node.args[0]))
        if name in _SETTERS and node.args:
            self._set_by_text(chain(node.args[0]), node.args[1:2])
        if name.rpartition(".")[2] == "update_wrapper":
            self.uses.changes.add("__doc__")
        if name:
            self._mention(name, node.func, flows=True, called=True)
        else:
            reading = isinstance(node.func, ast.Attribute) and node.func.attr in _READING
            if _is_globals(node.func) and node.args:
                self._named(node.args[0], flows=True)
            self.uses.gathers |= _is_globals(node.func) and reading and not node.args
            of_names = _is_globals(node.func) or getattr(getattr(node.func, "value", None), "attr", "") == "__dict__"
            self.expression(node.func, flows=not (reading and of_names))
        around, self._quiet = self._quiet, (*self._quiet, name) if quiet else self._quiet
        for child in (*node.args, *node.keywords):
            self.expression(child, flows=not quiet)
        self._quiet = around

    def _reach(self, *names: object) -> None:
        """What may set any attribute, or get hold of any object, is named."""
        self.uses.gathers |= not _FINDING.isdisjoint(names)
        self.uses.changes |= set() if _SETTING.isdisjoint(names) else {"?"}

    def _named(self, text: ast.expr, *, flows: bool) -> None:
        """A name of the module that is given as a text."""
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            self._mention(text.value, text, flows=flows)

    def _set_by_text(self, name: str, attribute: list[ast.expr]) -> None:
        """An attribute of what ``name`` means is set under a name that is a value."""
        values = (item.value for item in attribute if isinstance(item, ast.Constant))
        texts = [value for value in values if isinstance(value, str)]
        if name != "self":
            self.uses.changes.update(texts or "?")
        if name and not any(name.partition(".")[0] in local for local in self._local):
            self.uses.reflected |= set() if texts else {name}
            self.uses.stored.update(f"{name}.{text}" for text in texts or "?")

    def _mention(self, name: str, node: ast.AST, *, flows: bool, called: bool = False) -> None:
        first, _, rest = name.partition(".")
        stored = isinstance(node, ast.Attribute) and isinstance(node.ctx, (ast.Store, ast.Del))
        if flows:
            self.uses.changes |= _OF_TOOLS.intersection(rest.split("."))
        if stored and not (first in self._own and "." not in rest):
            self.uses.changes.add(name.rpartition(".")[2])
        self._reach(name.rpartition(".")[2] if not called or (name not in _SETTERS and first != "self") else "")
        if any(first in local for local in self._local):
            return
        self.uses.told.update((each, name) for each in self._quiet)
        parts = rest.split(".")
        reading = parts[-1] in _READING and "model_fields" not in parts
        if "__dict__" in parts and flows and not reading:
            self.uses.reflected.add(name.partition(".__dict__")[0])
        self.uses.reflected |= {"?"} if _GLOBALS.intersection(parts) else set()
        if stored or (flows and not _PARTS.isdisjoint(parts) and not reading):
            self.uses.stored.add(name)
            self.uses.touched.add(name)
        elif called:
            self.uses.called.add(name)
        else:
            (self.uses.touched if flows else self.uses.read).add(name)
