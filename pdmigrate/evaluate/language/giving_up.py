"""Calls that are left out because they take more steps than the evaluator spends.

The effect of such a call is unknown, and with it every object that its code can reach: from its arguments, its closure,
and the names and attributes that it spells, through every function that can be called there.  All else stays known, and
the evaluation goes on.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from functools import partial
from inspect import getclosurevars
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

import libcst as cst

from pdmigrate.errors import SourceError
from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import changeable, with_aliases
from pdmigrate.evaluate.core.frames import Frame
from pdmigrate.evaluate.core.interpreter import ModuleRun
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.known_objects import KnownObject
from pdmigrate.evaluate.core.members import is_inert_base
from pdmigrate.evaluate.core.values import (
    CACHE,
    OWNER,
    ClassValue,
    Const,
    DictValue,
    External,
    FunctionValue,
    Instance,
    IteratorValue,
    ListValue,
    Maybe,
    ModuleValue,
    Namespace,
    Scope,
    SdkObject,
    SetValue,
    TupleValue,
    UnknownValue,
    Value,
)
from pdmigrate.evaluate.language.coroutines import RESULT, Coroutine
from pdmigrate.evaluate.language.scopes import EXCEPTIONS, set_in
from pdmigrate.tree.code.effects import ANYTHING, Effects, effects_of

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.tree.code.modules import SourceModule


def give_up(run: Interpreter, function: FunctionValue, scope: Scope) -> UnknownValue:
    """Leave out a call of ``function``: forget what it can reach from ``scope``, which binds its arguments."""
    where = f" in {function.module.path}" if function.module is not None else ""
    reason = f"{function.name}(){where} takes more steps than the evaluator allows"
    reach = _Reach(run)
    reach.waiting += (function, *scope.names.values())
    reach.close()
    unknown = reach.forget(reasons.unknown(reasons.BUDGET, reason, function.made_at))
    run.doubt = run.doubt or unknown
    run.risk(unknown)
    return unknown


class _Reach:
    """The objects that code can reach, collected up to a fixed point."""

    def __init__(self, run: Interpreter) -> None:
        self.run = run
        self.waiting: list[Value] = []
        self.seen: dict[int, object] = {}
        self.attributes: set[str] = set()
        self.stored: set[str] = set()
        self.computed = False
        self.indirect = False
        """Whether the code may call functions other than by their names, such as callbacks."""
        self.held: list[FunctionValue | ClassValue] = []
        """Functions and classes in containers, which are called only if ``indirect``."""
        self.of_class = False
        """Whether the code asks objects for their classes."""
        self.objects: list[Namespace] = []
        """Objects, classes, modules: of their attributes, the code reaches those that it spells."""
        self.classes: set[ClassValue] = set()
        """Classes whose attributes the code may set: it names the class, or asks an object for its class."""
        self.others = False
        """Whether the code sets attributes of the value of a local variable, which may be a class."""
        self.containers: list[ListValue | DictValue | SetValue] = []
        self.known: list[KnownObject] = []
        self.rebound: list[tuple[Scope, str]] = []
        self.opened: list[Namespace] = []
        """Scopes in which any name may be bound to anything."""
        self.patched: set[str] = set()
        """Full names of libraries' attributes that the code may rebind."""
        self.unrun: dict[str, SourceModule] = {}
        """Modules, by path, that the code may import for the first time."""

    def close(self) -> None:
        known = 0
        while known < len(self.seen) or self.waiting:
            while self.waiting:
                self._take(self.waiting.pop())
            known = len(self.seen)
            for item in self.objects:
                self._attributes_of(item)
            if self.indirect:
                self.waiting += self.held
                self.held = []
            if self.of_class:
                self._classes_of_objects()
            self.waiting = [item for item in self.waiting if id(item) not in self.seen and type(item) is not Const]

    def _classes_of_objects(self) -> None:
        """Reach the classes of all reached objects: the code may say ``type(self).x = ...``."""
        owners = [instance.cls for item in self.objects if (instance := item.as_instance) is not None]
        functions = [function for item in self.objects if (function := item.as_function) is not None]
        owners += [function.owner for function in functions if function.owner is not None]
        self.waiting += owners
        self.classes.update(base for owner in owners for base in owner.lineage)

    def _take(self, item: Value) -> None:
        if id(item) in self.seen or type(item) is Const:
            return
        self.seen[id(item)] = item
        self.run.budget.step()
        _TAKE[type(item)](self, item)

    def among(self, noted: list[Any], item: Value, *, data: bool = False) -> None:
        """Note ``item`` in ``noted``, so that its content is forgotten, and reach the values inside it."""
        noted.append(item)
        self.inside(item, data=data)

    def inside(self, item: Value, *, data: bool = False) -> None:
        """Reach the values inside ``item``; with ``data``, functions among them only once the code calls indirectly."""
        for value in _held(item):
            callee = value.as_function or value.as_class if data and not self.indirect else None
            if callee is not None:
                self.held.append(callee)
                self.objects += [callee] if id(callee) not in self.seen else []
            else:
                self.waiting.append(value)

    def implied(self, cls: ClassValue, *, made: bool = False) -> None:
        """Reach the methods that run without being spelled, except constructors if the object is already ``made``."""
        outside = any(base.as_class is None and not is_inert_base(base) for base in cls.mro)
        for base in cls.lineage:
            for name, value in base.names.items():
                special = name.startswith("__") and name.endswith("__") and not (made and name in _MAKING)
                function = value.as_function
                called = function is not None and (outside or "validator" in function.names)
                if special or called or name in _CALLED:
                    self.waiting.append(value)

    def function(self, function: FunctionValue) -> None:
        self.objects.append(function)
        self.waiting += [parameter.default for parameter in function.parameters if parameter.default is not None]
        if function.names.get(CACHE) is not None:
            self.waiting.append(function.names[CACHE])
        if function.node is not None:
            self.code(function.node, function.module, function.scope)
        if function.owner is not None:
            self.implied(function.owner, made=True)
            if function.kind == "class":
                self.waiting.append(function.owner)
                self.classes.update(function.owner.lineage)

    def code(self, node: cst.CSTNode, module: SourceModule | None, scope: Scope | None) -> None:
        effects = _effects(self.run, node, module)
        self._spelled(effects, module)
        found: set[str] = set()
        while scope is not None:
            for name in effects.names & scope.names.keys():
                found.add(name)
                self.waiting.append(scope.names[name])
                if name in effects.owners:
                    self._set_by_name(scope.names[name], effects.stored)
                if name in effects.called or name in effects.asked:
                    self.indirect |= _CALLS_BACK[type(scope.names[name])](scope.names[name])
            for name in effects.rebound if scope.kind == "module" else effects.rebound & scope.names.keys():
                self.rebound.append((scope, name))
            scope = scope.parent
        self.others |= not effects.owners <= found | {"self"}
        # Any other name that is called is a local variable, or a built-in that may call its arguments.
        self.indirect |= effects.indirect or not effects.called <= found | _PYTHON

    def _set_by_name(self, value: Value, stored: set[str]) -> None:
        """Note that the code sets the attributes ``stored`` of ``value``."""
        if (cls := value.as_class) is not None:
            self.classes.add(cls)
        elif value.library_name and "()" not in value.library_name:
            self.patched |= {f"{value.library_name}.{name}" for name in stored}

    def _spelled(self, effects: Effects, module: SourceModule | None) -> None:
        self.attributes |= effects.attributes
        self.stored |= effects.stored
        self.computed |= effects.computed
        self.of_class |= not _OF_CLASS.isdisjoint(effects.names | effects.attributes)
        if effects.anything:
            self.waiting += (executed.scope for executed in self.run.modules.values())
        index = self.run.index
        for level, name in effects.imports if module is not None else ():
            assert module is not None
            path = index.relative(module, level, name) if level else index.find(name, module.path)
            if path is not None and not path.endswith("/"):
                parts = path.split("/")
                for end in range(1, len(parts)):
                    self._module("/".join((*parts[:end], "__init__.py")))
                self._module(path)

    def executed(self, executed: ModuleRun | None) -> None:
        if executed is not None and id(executed) not in self.seen:
            self.seen[id(executed)] = executed
            self.objects.append(executed.scope)

    def _module(self, path: str) -> None:
        if path in self.run.modules:
            self.executed(self.run.modules[path])
        elif path not in self.unrun and self.run.index.is_file(path):
            try:
                module = self.run.index.at(path)
            except SourceError:
                return  # reported where the file is read
            self.unrun[path] = module
            effects = effects_of(module.source.text)
            self.attributes |= effects.names
            self.indirect = self.others = True
            self._spelled(effects, module)

    def _attributes_of(self, item: Namespace) -> None:
        """Reach the values of the attributes of ``item`` that the code spells."""
        known = item.names.keys()
        names = known if self.computed else self.attributes & known
        inner = {name for name in known if name.startswith("<")}
        # The registrations of a server, under names in ``<>``, change only through its attributes: ``FORGET_SERVER``.
        names = (names - inner) | ({OWNER} & known) if item.is_server else names | inner
        self.waiting += [item.names[name] for name in names]
        instance = item.as_instance
        for base in instance.cls.lineage if instance is not None else ():
            spelled = base.names.keys() if self.computed else self.attributes & base.names.keys()
            self.waiting += [base.names[name] for name in spelled]

    # --- forgetting --------------------------------------------------------------------------------------------------

    def forget(self, unknown: UnknownValue) -> UnknownValue:
        """Forget the content of all reached objects; return the unknown value that may be any of them."""
        run = self.run
        # All that is forgotten has every reached object as an alias: in one tuple, so that a walk along aliases visits
        # each of them only once.
        reached = TupleValue(tuple(filter(changeable, (*self.objects, *self.containers))))
        whole = with_aliases(unknown, reached)
        self._forget_containers(whole)
        for owner in self.objects:
            self._forget_attributes(owner, whole)
        for scope, name in self.rebound:
            run.trail.note(name)
            set_in(run, scope, name, whole)
        for namespace in self.opened:
            run.trail.touch(namespace)
            for name in namespace.names:
                run.trail.note(name)
            namespace.names = dict.fromkeys(namespace.names, whole)
            namespace.rest = namespace.rest or whole
        if self.patched:
            run.trail.touch(run.patched)
            run.patched.names.update(dict.fromkeys(self.patched, whole))
        for path, module in self.unrun.items():
            scope = Scope(kind="module", module=module, rest=whole)
            run.modules[path] = ModuleRun(module, scope, done=True)
        run.disturbed = None
        return whole

    def _forget_containers(self, whole: UnknownValue) -> None:
        for item in self.containers:
            self.run.trail.touch(item)
            item.restore(((), whole))
        for known in self.known:
            for name in self.stored:
                known.set(name, whole)

    def _forget_attributes(self, item: Namespace, whole: UnknownValue) -> None:
        instance, cls = item.as_instance, item.as_class
        if instance is not None and instance.cls.kind == "enum":
            return
        if item.is_server:
            self.run.trail.touch(item)
            item.rest = item.rest or whole
            item.names.update(dict.fromkeys(self.stored & item.names.keys(), whole))
            FORGET_SERVER[type(item)](self.run, item, None if self.computed else self.attributes, whole)
            return
        lost = _LOST[type(item)](self, item)
        if self.computed:
            lost = lost | item.names.keys()
        anyhow = self.computed or item.as_function is not None or item in self.classes
        if not lost and not (anyhow and self.stored):
            return
        self.run.trail.touch(item)
        for name in lost:
            self.run.trail.note(name)
            item.names[name] = whole
        if anyhow:
            item.rest = item.rest or whole
        if cls is not None:
            cls.opaque = cls.opaque or whole


FORGET_SERVER: Kinds[Callable[[Interpreter, Any, set[str] | None, UnknownValue], None]] = Kinds()
"""Forget what code may have done to a server; the code spells the given attributes, or may reach any (``None``)."""

_LOST: Kinds[Callable[[_Reach, Any], set[str]]] = Kinds()
"""The names of the attributes of an object that the code may have set."""
_LOST.of(Namespace)(lambda reach, item: reach.stored & item.names.keys())
_LOST.of(Instance, SdkObject)(lambda reach, _item: reach.stored)
_LOST.of(Scope)(lambda reach, item: {n for n in reach.stored if n in item.names or not hasattr(builtins, n)})
_LOST.of(Coroutine)(lambda _reach, _item: {RESULT})


@_LOST.of(ClassValue)
def _lost_of_class(reach: _Reach, item: ClassValue) -> set[str]:
    if item in reach.classes:
        return reach.stored
    return reach.stored & item.names.keys() if reach.others else set()


_TAKE: Kinds[Callable[[_Reach, Any], None]] = Kinds()
"""Reach what code can reach through a value, by its kind."""
_TAKE.of(Value)(_Reach.inside)
_TAKE.of(FunctionValue)(_Reach.function)
_TAKE.of(ModuleValue)(lambda reach, item: reach.executed(reach.run.modules.get(item.module.path)))
_TAKE.of(TupleValue, Maybe)(lambda reach, item: reach.inside(item, data=True))


_TAKE.of(Namespace)(lambda reach, item: reach.among(reach.objects, item))
_TAKE.of(KnownObject)(lambda reach, item: reach.among(reach.known, item))
_TAKE.of(ListValue, DictValue, SetValue)(lambda reach, item: reach.among(reach.containers, item, data=True))


@_TAKE.of(Scope)
def _take_scope(reach: _Reach, item: Scope) -> None:
    reach.opened.append(item)
    reach.waiting += item.names.values()


@_TAKE.of(ClassValue)
def _take_class(reach: _Reach, item: ClassValue) -> None:
    reach.objects.append(item)
    reach.waiting += (*item.mro, *item.options.values(), *item.fields.items)
    reach.implied(item)


@_TAKE.of(Instance)
def _take_instance(reach: _Reach, item: Instance) -> None:
    reach.objects.append(item)
    reach.waiting += [item.cls] if item.cls.kind == "enum" else []
    reach.implied(item.cls, made=True)


@_TAKE.of(IteratorValue)
def _take_iterator(reach: _Reach, item: IteratorValue) -> None:
    if item.deferred is not None and item.deferred.node is not None:
        own = item.deferred.own
        reach.code(item.deferred.node, own.module if own is not None else None, own)
    reach.among(reach.containers, item)


_OF_CLASS = frozenset({"type", "__class__"})
_MAKING = frozenset({"__init__", "__new__", "__post_init__", "__init_subclass__", "__set_name__", "__prepare__"})
_CALLED = frozenset({"model_post_init", "keys", "_missing_", "_generate_next_value_"})
"""Methods without double underscores that Python and pydantic call."""
_PYTHON = frozenset(
    {"abs", "all", "any", "bool", "bytes", "dict", "divmod", "enumerate", "float", "format", "frozenset", "getattr"}
    | {"hasattr", "hash", "id", "int", "isinstance", "issubclass", "len", "list", "open", "ord", "print", "range"}
    | {"repr", "reversed", "round", "set", "setattr", "str", "sum", "super", "tuple", "type", "zip"}
    | EXCEPTIONS
)
"""Built-ins that call nothing of their arguments but special methods, which count as called anyway."""
_PLAIN = frozenset(
    {"copy", "datetime", "hashlib", "json", "logging", "math", "os", "pathlib", "re", "shutil", "string"}
)
_PLAIN |= {"sys", "tempfile", "textwrap", "time", "typing", "urllib", "uuid", "yaml"}
"""Libraries that do not call the arguments of their functions, apart from those that ``effects_of`` looks at."""


_CALLS_BACK: Kinds[Callable[[Any], bool]] = Kinds()
"""Whether calling a value, or a method of it, may call functions in the arguments that the code does not call."""
_CALLS_BACK.of(Value)(lambda _value: True)
_CALLS_BACK.of(Const, DictValue, ListValue, SetValue)(lambda _value: False)
# What these call is found in their own code.
_CALLS_BACK.of(FunctionValue, ClassValue, ModuleValue, Instance)(lambda _value: False)


@_CALLS_BACK.of(External)
def _library_calls_back(value: External) -> bool:
    library, _, name = value.name.partition(".")
    return library not in _PLAIN and not (library == "builtins" and name in _PYTHON)


def _held(item: Value) -> Iterator[Value]:
    """The values that ``item`` holds apart from ``names``, also in the closures of functions that compute it."""
    slots = {name for kind in type(item).__mro__ for name in getattr(kind, "__slots__", ())}
    stack: list[Any] = [getattr(item, name, None) for name in {*slots, *getattr(item, "__dict__", ())} - {"names"}]
    while stack:
        match stack.pop():
            case Value() as value:
                yield value
            case tuple() | list() | set() | frozenset() as parts:
                stack += parts
            case dict() as parts:
                stack += parts.values()
            case FunctionType() as function:
                stack += (*getclosurevars(function).nonlocals.values(), *(function.__defaults__ or ()))
            case MethodType() as method:
                stack += (method.__self__, method.__func__)
            case partial() as bound:
                stack += (bound.func, bound.args, bound.keywords)
            case Frame() as frame:
                yield frame.scope


def _effects(run: Interpreter, node: cst.CSTNode, module: SourceModule | None) -> Effects:
    """What the code of ``node`` spells, computed once for each node."""
    if module is None:
        return ANYTHING
    known = run.index.effects.get(node)
    if known is None:
        span = module.span(node)
        start = module.source.line_start(span.start) if isinstance(node, cst.FunctionDef) else span.start
        known = run.index.effects[node] = effects_of(module.source.text[start : span.end])
    return known
