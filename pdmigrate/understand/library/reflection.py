"""Builtins that ask what an object is and has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pdmigrate.understand.demand.attributes import delete_attribute
from pdmigrate.understand.demand.containers import content
from pdmigrate.understand.demand.expressions import SCOPED
from pdmigrate.understand.demand.run import LIBRARY, RaisedError, Run
from pdmigrate.understand.library.calling import first, library
from pdmigrate.understand.values.calls import Arguments, BoundMethod, Native, Partial, Super
from pdmigrate.understand.values.codes import MUTATED
from pdmigrate.understand.values.containers import DictValue, ListValue, SetValue
from pdmigrate.understand.values.core import FALSE, NONE, TRUE, Const, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import unsettled
from pdmigrate.understand.values.objects import ClassValue, FunctionValue, Instance, Scope, SdkObject, text_of
from pdmigrate.understand.values.outside import Called, External, ModuleValue, external_name

# --- reflection -------------------------------------------------------------------------------------------------------


@library("builtins.getattr")
def _getattr(run: Run, arguments: Arguments) -> Value:
    value, name = arguments.positional[0], text_of(arguments.positional[1]) if len(arguments.positional) > 1 else None
    if name is None:
        run.risk = True
        return unsettled(run.unsettled("an attribute whose name is not known"), value)
    if len(arguments.positional) < 3:
        return run.attribute(value, name)
    levels = len(run.journal.levels)
    try:
        found = run.attribute(value, name)
    except RaisedError:
        while len(run.journal.levels) > levels:
            run.journal.keep()
        return arguments.positional[2]
    return found


@library("builtins.hasattr")
def _hasattr(run: Run, arguments: Arguments) -> Value:
    value, name = arguments.positional[0], text_of(arguments.positional[1])
    if name is None or isinstance(value, (External, Called)):
        return run.unsettled("whether it has an attribute")
    try:
        found = run.attribute(value, name)
    except RaisedError:
        return FALSE
    return found if isinstance(found, Unknown) else TRUE


@library("builtins.setattr")
def _setattr(run: Run, arguments: Arguments) -> Value:
    if len(arguments.positional) == 3:
        value, name = arguments.positional[0], text_of(arguments.positional[1])
        if name is not None:
            run.set_attribute(value, name, arguments.positional[2])
        else:
            why = run.unsettled("an attribute is set whose name is not known", MUTATED)
            run.disturb([value], why)
            if isinstance(value, (Instance, ClassValue, FunctionValue, SdkObject)):
                run.journal.blur(value, why)
    return NONE


@library("builtins.delattr")
def _delattr(run: Run, arguments: Arguments) -> Value:
    value, name = arguments.positional[0], text_of(arguments.positional[1])
    if name is not None:
        delete_attribute(run, value, name)
    else:
        run.risk = True
        run.disturb([value], run.unsettled("an attribute is deleted whose name is not known", MUTATED))
    return NONE


@library("builtins.isinstance")
def _isinstance(run: Run, arguments: Arguments) -> Value:
    value, wanted = arguments.positional[0], arguments.positional[1]
    options = list(wanted.items) if isinstance(wanted, TupleValue) else [wanted]
    results = [_is_instance(value, option) for option in options]
    if True in results:
        return TRUE
    if None in results:
        return run.because("the class of a value", value)
    return FALSE


_CLASSES: dict[type, str] = {ListValue: "list", DictValue: "dict", SetValue: "set", TupleValue: "tuple"}


KINDS: list[Callable[[Value, str], bool | None]] = []
"""Rules for whether an object of an SDK is one of a library class, by its name; the first that answers decides."""


def _is_instance(value: Value, wanted: Value) -> bool | None:
    name = external_name(wanted)
    known = next((found for rule in KINDS if (found := rule(value, name)) is not None), None)
    if known is not None:
        return known
    if isinstance(value, Instance):
        if wanted in value.cls.mro:
            return True
        if isinstance(wanted, ClassValue):
            return None if value.cls.refused is not None else False
        if type(content(value)) in _CLASSES and name.startswith("builtins."):
            return name in (f"builtins.{_CLASSES[type(content(value))]}", "builtins.object")
        return True if name in value.cls.outside else (False if name.startswith("builtins.") else None)
    if isinstance(value, SdkObject):
        return value.type == name if name else False
    if isinstance(value, (Const, *_CLASSES)):
        if isinstance(wanted, ClassValue):
            return False
        own = (
            _CLASSES.get(type(value)) or type(value.value).__name__
            if isinstance(value, Const)
            else _CLASSES[type(value)]
        )
        if not name.startswith("builtins."):
            return {"collections.abc.Mapping": own == "dict", "typing.Mapping": own == "dict"}.get(name)
        return own == name[9:] or (own == "bool" and name[9:] == "int") or name == "builtins.object"
    if isinstance(value, ClassValue):
        return True if name == "builtins.type" else None if name else False
    if isinstance(value, (FunctionValue, BoundMethod)) and (
        isinstance(wanted, ClassValue) or name.startswith("builtins.")
    ):
        return False
    return None


@library("builtins.issubclass")
def _issubclass(run: Run, arguments: Arguments) -> Value:
    cls, wanted = arguments.positional[0], arguments.positional[1]
    options = list(wanted.items) if isinstance(wanted, TupleValue) else [wanted]
    if isinstance(cls, ClassValue) and cls.refused is None:
        if any(option in cls.mro for option in options):
            return TRUE
        if all(isinstance(option, ClassValue) or external_name(option).startswith("builtins.") for option in options):
            return FALSE
    return run.unsettled("whether a class derives from another")


@library("builtins.callable")
def _callable(run: Run, arguments: Arguments) -> Value:
    value = first(arguments)
    if isinstance(value, (FunctionValue, BoundMethod, ClassValue, Native, Partial)):
        return TRUE
    if isinstance(value, (Const, ListValue, DictValue, TupleValue, SdkObject)):
        return FALSE
    if isinstance(value, Instance) and value.cls.refused is None:
        return Const(any(isinstance(base, ClassValue) and "__call__" in base.data for base in value.cls.mro))
    return run.unsettled("whether a value can be called")


@library("builtins.type")
def _type(run: Run, arguments: Arguments) -> Value:
    value = first(arguments)
    if len(arguments.all) == 1:
        if isinstance(value, Instance):
            return value.cls
        if isinstance(value, Const):
            return External(f"builtins.{type(value.value).__name__}")
        if type(value) in _CLASSES:
            return External(f"builtins.{_CLASSES[type(value)]}")
        if isinstance(value, SdkObject):
            return External(value.type)
    return run.because("the class of a value", value)


@library("builtins.super")
def _super(run: Run, arguments: Arguments) -> Value:
    if len(arguments.positional) == 2 and isinstance(arguments.positional[0], ClassValue):
        return Super(arguments.positional[0], arguments.positional[1])
    return run.unsettled("super() of something")


def _kept(name: str) -> Any:
    def keep(run: Run, arguments: Arguments) -> Value:
        return Called(name, tuple(arguments.positional), tuple(arguments.keywords.items()), run.site())

    return keep


for _name in ("builtins.property", "functools.cached_property", "builtins.classmethod", "builtins.staticmethod"):
    LIBRARY[_name] = _kept(_name)


@library("builtins.vars")
def _vars(run: Run, arguments: Arguments) -> Value:
    value = first(arguments)
    if isinstance(value, (Instance, ClassValue)) and value.rest is None:
        entries: dict[Any, Any] = {(True, name): (Const(name), item) for name, item in value.data.items()}
        return DictValue(entries)
    return run.unsettled("vars() of something")


@library("builtins.dir")
def _dir(run: Run, arguments: Arguments) -> Value:
    value = first(arguments)
    cls = value.cls if isinstance(value, Instance) else value
    if isinstance(cls, ClassValue) and cls.refused is None and not [n for n in cls.outside if n != "builtins.object"]:
        names = {name for base in cls.mro if isinstance(base, ClassValue) for name in base.data}
        names |= set(value.data) if isinstance(value, Instance) else set()
        return ListValue([Const(name) for name in sorted(names | set(dir(object)))])
    if isinstance(value, ModuleValue):
        names = {name for unit in value.module.units for name in unit.binds}
        special = {
            *("__name__", "__doc__", "__file__", "__builtins__", "__cached__", "__loader__", "__package__", "__spec__"),
        }
        return ListValue([Const(name) for name in sorted(names | special)])
    return run.unsettled("dir() of something")


def _globals(run: Run, scope: Scope, _arguments: Arguments) -> Value:
    loaded = run.program.loaded[scope.module.path]
    entries: dict[Any, Any] = {}
    for name in scope.module.bound:
        found = run.program.read(scope.module.path, name)
        if found is not None:
            entries[(True, name)] = (Const(name), found)
    return DictValue(entries, run.unsettled("another global name") if run.program.position >= loaded.reflects else None)


SCOPED["builtins.globals"] = _globals
SCOPED["builtins.locals"] = lambda run, _scope, _arguments: run.unsettled("locals()")
