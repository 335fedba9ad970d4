"""Builtins that ask what an object is and has."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pdmigrate.understand.demand import scopes
from pdmigrate.understand.demand.expressions import SCOPED
from pdmigrate.understand.demand.run import LIBRARY, RaisedError, Run
from pdmigrate.understand.demand.unfollowed import behind, lose
from pdmigrate.understand.index.modules import Module
from pdmigrate.understand.library.calling import keep, library
from pdmigrate.understand.values.calls import Arguments, BoundMethod, Native, Partial
from pdmigrate.understand.values.containers import DictValue, ListValue, SetValue
from pdmigrate.understand.values.core import FALSE, MUTATED, NONE, TRUE, Const, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import unsettled
from pdmigrate.understand.values.objects import ClassValue, FunctionValue, Instance, SdkObject, Super, text_of
from pdmigrate.understand.values.outside import Called, External, Subscripted, external_name


@library("builtins.getattr")
def _getattr(run: Run, arguments: Arguments) -> Value:
    value, given = arguments.at(0), arguments.positional[1:]
    name = text_of(given[0]) if given else None
    if name is None:
        inner = value.cls.classes if isinstance(value, Instance) else ()
        methods = [
            BoundMethod(item, value) for base in inner for item in base.data.values() if isinstance(item, FunctionValue)
        ]
        return unsettled(run.risky("an attribute whose name is not known"), value, *methods)
    levels = len(run.journal.levels)
    try:
        return run.attribute(value, name)
    except RaisedError:
        if len(given) < 2:
            raise
        run.journal.keep(levels)
        return given[1]


@library("builtins.hasattr")
def _hasattr(run: Run, arguments: Arguments) -> Value:
    value, name = arguments.at(0), text_of(arguments.at(1))
    if name is None or isinstance(value, (External, Called, Subscripted)):
        return run.unsettled("whether it has an attribute")
    try:
        found = run.attribute(value, name)
    except RaisedError:
        return FALSE
    return found if isinstance(found, Unknown) else TRUE


@library("builtins.setattr", "builtins.type.__setattr__")
def _setattr(run: Run, arguments: Arguments) -> Value:
    if len(arguments.positional) == 3:
        value, name = arguments.at(0), text_of(arguments.at(1))
        if isinstance(value, (Const, ListValue, DictValue, SetValue, TupleValue)):
            raise RaisedError("builtins.AttributeError", "it has no attributes that can be set", run.site())
        if name is not None:
            run.set_attribute(value, name, arguments.at(2))
        else:
            why = run.unsettled("an attribute is set whose name is not known", MUTATED)
            run.disturb([value], why)
            if isinstance(value, (Instance, ClassValue, FunctionValue, SdkObject)):
                run.journal.blur(value, why)
    return NONE


@library("builtins.delattr", "builtins.type.__delattr__")
def _delattr(run: Run, arguments: Arguments) -> Value:
    return _setattr(run, Arguments([*arguments.positional[:2], run.risky("an attribute is deleted")]))


@library("builtins.isinstance")
def _isinstance(run: Run, arguments: Arguments) -> Value:
    value, wanted = arguments.at(0), arguments.at(1)
    options = wanted.items if isinstance(wanted, TupleValue) else (wanted,)
    results = [_is_instance(value, option) for option in options]
    if True not in results and None in results:
        return run.because("the class of a value", value)
    return Const(True in results)


_CLASSES: dict[type, str] = {ListValue: "list", DictValue: "dict", SetValue: "set", TupleValue: "tuple"}
_OPEN = {"abc.ABC", "typing.Protocol", "typing_extensions.Protocol"}
"""Their classes count objects that do not derive from them: what is registered, what has the methods."""
KINDS: list[Callable[[Value, str], bool | None]] = []
"""Rules for whether an object of an SDK is one of a library class, by its name; the first that answers decides."""


def _is_instance(value: Value, wanted: Value) -> bool | None:
    name = external_name(wanted)
    if name == "builtins.object":
        return True
    if isinstance(wanted, ClassValue) and wanted.refused is not None:
        return None
    known = next((found for rule in KINDS if (found := rule(value, name)) is not None), None)
    if known is not None:
        return known
    if isinstance(value, Instance):
        return True if wanted in value.cls.mro else None
    if isinstance(value, SdkObject):
        plain = name.startswith("builtins.")
        return True if value.type == name else (False if plain else None)
    if isinstance(wanted, ClassValue) and not _OPEN.isdisjoint(wanted.outside):
        return None
    if isinstance(value, SetValue) and name in ("builtins.set", "builtins.frozenset"):
        return None  # either is one of these
    if isinstance(value, (Const, *_CLASSES)):
        own = type(value.value).__name__ if isinstance(value, Const) else _CLASSES[type(value)]
        if isinstance(wanted, ClassValue) or name.startswith("builtins."):
            return name == f"builtins.{own}" or (own == "bool" and name == "builtins.int")
        return False if name == "mcp.types.Tool" else None
    plain = isinstance(wanted, ClassValue) or name.startswith("builtins.")
    return False if plain and isinstance(value, (FunctionValue, BoundMethod)) else None


@library("builtins.callable")
def _callable(run: Run, arguments: Arguments) -> Value:
    value = arguments.first
    if isinstance(value, (FunctionValue, BoundMethod, ClassValue, Native, Partial)):
        return TRUE
    if isinstance(value, (Const, ListValue, DictValue, TupleValue)):
        return FALSE
    return run.unsettled("whether a value can be called")


@library("builtins.type")
def _type(run: Run, arguments: Arguments) -> Value:
    value = arguments.first
    if len(arguments.all) > 1:  # a class is made, which its bases may take note of
        why = run.because("the class of a value", value)
        lose(run, list(behind(arguments.at(1))), why)
        run.hand_over(arguments.all, why)
        return why
    if isinstance(value, Instance):
        return value.cls
    if isinstance(value, Const):
        return External(f"builtins.{type(value.value).__name__}")
    return run.because("the class of a value", value)


@library("builtins.super")
def _super(run: Run, arguments: Arguments) -> Value:
    if len(arguments.positional) == 2 and isinstance(cls := arguments.at(0), ClassValue):
        return Super(cls, arguments.at(1))
    return run.unsettled("super() of something")


for _name in ("builtins.property", "functools.cached_property", "builtins.classmethod", "builtins.staticmethod"):
    LIBRARY[_name] = partial(keep, _name)


@library("inspect.getmembers")
def _members(run: Run, arguments: Arguments) -> Value:
    why = _getattr(run, Arguments([arguments.at(0)]))
    run.may_call(arguments.all, run.because("members of something", why))
    return why


def _names_of(run: Run, module: Module) -> tuple[dict[str, Value], Unknown | None]:
    """The names that a module has here and now, and why there may be others."""
    program, path, loaded = run.program, module.path, run.program.loaded[module.path]
    starred = [program.loaded.get(program.tree.beside(module, node) or "") for node in module.starred]
    more = {name for each in starred if each is not None for name in each.module.bound}
    names = dict.fromkeys((*module.bound, *sorted({*module.set_by_functions, *loaded.scope.data, *more})))
    values = ((name, program.read(path, name) or scopes.starred(run, loaded, name)) for name in names)
    found = {name: value for name, value in values if value is not None}
    unknown = program.position >= loaded.reflects or any(each is None or each.module.starred for each in starred)
    return found, run.unsettled("another global name") if unknown else None


def _found(run: Run, kind: type[Value]) -> Value:
    """What Python knows of that the program need not name: any class, or any object, that it has made by now."""
    names = [(path, name) for path, each in run.program.loaded.items() for name in each.module.bound]
    made = [run.program.read(path, name) for path, name in names]
    return unsettled(run.risky("what Python knows of"), *(value for value in made if isinstance(value, kind)))


LIBRARY["builtins.type.__subclasses__"] = lambda run, _arguments: _found(run, ClassValue)
for _name in ("gc.get_objects", "gc.get_referrers", "gc.get_referents"):
    LIBRARY[_name] = lambda run, _arguments: _found(run, Value)
for _name in ("builtins.vars", "dataclasses.asdict"):
    LIBRARY[_name] = lambda run, arguments: unsettled(run.risky("the attributes of an object"), arguments.first)
SCOPED["builtins.globals"] = lambda run, scope, _arguments: DictValue.of(*_names_of(run, scope.module))
SCOPED["builtins.locals"] = lambda run, _scope, _arguments: run.unsettled("locals()")
