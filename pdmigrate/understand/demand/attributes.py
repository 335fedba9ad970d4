"""Attributes of modules, classes, objects and functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from types import FunctionType
from typing import Any

from pdmigrate.sdk.names import canonical
from pdmigrate.understand.demand import imports
from pdmigrate.understand.demand.flow import either_value
from pdmigrate.understand.demand.later import changed_attribute, changed_name
from pdmigrate.understand.demand.live import is_live
from pdmigrate.understand.demand.run import ATTRIBUTES, CONSTANTS, SETTERS, RaisedError, Run
from pdmigrate.understand.demand.scopes import set_global
from pdmigrate.understand.demand.stars import is_lacking
from pdmigrate.understand.demand.unfollowed import called, lose, operated
from pdmigrate.understand.values.containers import DictValue, ListValue, Mutable, SetValue
from pdmigrate.understand.values.core import NONE, OUTSIDE, TRUE, Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import AnyOf, certain, unsettled
from pdmigrate.understand.values.objects import (
    Arguments,
    BoundMethod,
    ClassValue,
    FunctionValue,
    Instance,
    Native,
    Super,
)
from pdmigrate.understand.values.outside import Called, External, ModuleValue, Subscripted, external_name

RESULT_RULES: list[Any] = []
"""Rules for attributes of what functions of libraries return."""
SUPER: list[Any] = []
"""Rules for ``super().name`` where a library class is next."""
CLASS_RULES: list[Any] = []
"""Rules for attributes of program classes that their bodies do not define: ``Model.model_json_schema``."""


def _by_rules(rules: list[Any], *asked: Any) -> Value | None:
    """What the first of ``rules`` says that says anything."""
    return next((found for rule in rules if (found := rule(*asked)) is not None), None)


def _of_unknown(run: Run, value: Unknown, name: str) -> Value:
    run.risk = True
    operated(run, frozenset({name}), value)
    return value


def _of_any(run: Run, value: AnyOf, name: str) -> Value:
    """An attribute of one of several objects: that of any of them."""
    if not value.sure or not all(isinstance(option, Instance) for option in value.options):
        return _of_unknown(run, value, name)
    run.risk = True
    first, *others = (partial(run.attribute, option, name) for option in value.options)
    return reduce(lambda one, other: partial(either_value, run, value, one, other), others, first)()


def _set_of_unknown(run: Run, value: Unknown, name: str, _new: Value) -> None:
    run.risk = True
    operated(run, frozenset({name}), value)
    called(run, value)
    run.disturb([value], value)


_OBJECT = External("builtins.object")


def _of_external(run: Run, value: External, name: str) -> Value:
    if isinstance(value, imports.FolderValue):
        return imports.member(run, value.name, name)
    if value == _OBJECT and not hasattr(object, name):
        raise RaisedError("builtins.AttributeError", f"object has no {name}", run.site())
    run.risk |= is_lacking(value.name, name)
    full = canonical(f"{value.name}.{name}")
    known = CONSTANTS.get(full)
    return known(run) if known is not None else External(full)


def _of_result(run: Run, value: Called, name: str) -> Value:
    found = _by_rules(RESULT_RULES, run, value, name)
    if found is not None:
        return found
    run.risk = True
    given = () if value.callee.startswith(_SERVING) else (*value.args, *(item for _, item in value.kwargs))
    return unsettled(Unknown(f"{name} of what {value.callee} returns", OUTSIDE, run.site()), *given)


_SERVING = ("mcp.server.", "uvicorn.", "hypercorn.", "starlette.", "fastapi.")
"""What is done to a transport, or to a web application, changes no tool of the server behind it."""


def _of_module(run: Run, value: ModuleValue, name: str) -> Value:
    return changed_name(run, value.module, name) or imports.member(run, value.module.path, name, imports=False)


def _set_of_module(run: Run, value: ModuleValue, name: str, new: Value) -> None:
    loaded = run.program.loaded.get(value.module.path)
    if loaded is not None:
        set_global(run, loaded.scope, name, new)


# --- functions --------------------------------------------------------------------------------------------------------


def _of_function(run: Run, value: FunctionValue, name: str) -> Value:
    if name in value.data:
        return certain(value.data[name])
    if value.rest is not None:
        return value.rest
    special = FUNCTION_ATTRIBUTES.get(name)
    if special is not None:
        shown: Value = special(run, value)
        return shown
    if hasattr(FunctionType, name):
        return run.unsettled(f"{name} of a function")
    names, owner = run.program.names, getattr(value.scope.node, "name", value.name)
    at_top = value.scope.kind == "module" or (
        value.scope.kind == "class" and value.scope.parent is not None and value.scope.parent.kind == "module"
    )
    if at_top and name in names.changed and not is_live(names, (value.module.path, owner)):
        return run.risky(f"{name} of {value.name} may be set where {value.name} has another name")
    raise RaisedError("builtins.AttributeError", f"{value.name} has no attribute {name}", run.site())


FUNCTION_ATTRIBUTES: dict[str, Callable[[Run, FunctionValue], Value]] = {}


def set_named(run: Run, value: Mutable, name: str, new: Value) -> None:
    """Set an attribute of an object that has nothing but attributes."""
    run.journal.touch(value)
    value.data[name] = new
    run.spoken.add(name)  # it may be a class


def _of_bound(run: Run, value: BoundMethod, name: str) -> Value:
    known = {"__func__": value.function, "__self__": value.receiver}.get(name)
    return known or run.attribute(value.function, name)


# --- classes ----------------------------------------------------------------------------------------------------------


def _of_class(run: Run, cls: ClassValue, name: str) -> Value:
    if cls.rest is not None:
        return cls.rest
    found = cls.find(name)
    if found is not None:
        return _through_class(run, cls, found)
    if cls.refused is not None:
        return cls.refused
    if (answer := _by_rules(CLASS_RULES, run, cls, name)) is not None:
        return answer
    if name == "__bases__" or (name == "__mro__" and not _libraries(cls)):
        written = cls.mro if name == "__mro__" else cls.bases
        last = () if written[:1] and (name == "__bases__" or _OBJECT in written) else (_OBJECT,)
        return TupleValue((*written, *last))
    return _outside(run, cls, name, f"{cls.name}.{name}")


def _through_class(run: Run, cls: ClassValue, value: Value) -> Value:
    if isinstance(value, Instance) and value.cls.find("__get__") is not None:
        return run.call(run.attribute(value, "__get__"), Arguments([NONE, cls], site=run.site()))
    if isinstance(value, Called) and value.args and value.callee == "builtins.classmethod":
        return BoundMethod(value.args[0], cls)
    if isinstance(value, Called) and value.args and value.callee == "builtins.staticmethod":
        return value.args[0]
    return certain(value)


def _libraries(cls: ClassValue) -> list[str]:
    """The classes of libraries from which a class may have methods."""
    return [base for base in cls.outside if base not in ("builtins.object", "abc.ABC", "typing.Generic", "")]


def _outside(run: Run, cls: ClassValue, name: str, what: str) -> Unknown:
    """An attribute that only a library class among the bases can have."""
    outside = _libraries(cls)
    if not outside and name not in _OF_ANY:
        raise RaisedError("builtins.AttributeError", f"there is no {what}", run.site())
    return run.risky(f"{what} is inherited from {outside[0] if outside else 'object'}", code=OUTSIDE)


_OF_ANY = frozenset({*dir(type), "__annotations__", "__static_attributes__", "__type_params__", "__firstlineno__"})
"""The attributes that a class or an object has from Python itself."""


def _of_type(run: Run, value: Subscripted, name: str) -> Value:
    if isinstance(value.base, ClassValue):
        return run.risky(f"{name} of {value.base.name} with types")
    return run.attribute(value.base, name)


# --- objects ----------------------------------------------------------------------------------------------------------


def _of_instance(run: Run, value: Instance, name: str) -> Value:
    cls = value.cls
    if name == "__class__":
        return cls
    if cls.refused is not None:
        return cls.refused
    found = None if name in ("__name__", "__qualname__") else cls.find(name)  # these are the class's own
    if isinstance(found, Called) and found.callee in _PROPERTIES:
        return _property(run, value, name, found)
    if isinstance(found, Instance) and found.cls.find("__set__") is not None:
        return _bound(run, value, found)
    if name == "__dict__" and value.inside is None and name not in value.data:
        return own_attributes(value)
    if name in value.data:
        run.risk |= isinstance(value.data[name], Maybe)
        return changed_attribute(run, value, name) or certain(value.data[name])
    if value.rest is not None and not isinstance(found, FunctionValue):
        run.risk = True
        return _inherited(value, value.rest)
    if found is not None:
        return _bound(run, value, found)
    if value.inside is not None and name != "__dict__":
        return run.attribute(value.inside, name)
    fallback = cls.find("__getattr__") if name != "__dict__" else None
    if fallback is not None:
        return run.call(_bound(run, value, fallback), Arguments([Const(name)], site=run.site()))
    return _inherited(value, _outside(run, value.cls, name, f"{name} of {value.cls.name}"))


def _inherited(value: Instance, why: Unknown) -> Unknown:
    """An attribute from a library: a method may call those of the class, and change what the object has."""
    own = any(base.data.keys() - _OF_EVERY_CLASS for base in value.cls.classes)
    return unsettled(why, BoundMethod(why, value)) if own and _libraries(value.cls) else why


_OF_EVERY_CLASS = frozenset({"__doc__", "__module__", "__name__", "__qualname__", "__init__"})


def own_attributes(value: Instance) -> DictValue:
    """``value.__dict__``: what changes one of the two makes the other unknown."""
    made = DictValue.of(value.data, value.rest)
    made.also, value.also = (*made.also, value), (*value.also, made)
    return made


_PROPERTIES = frozenset({"builtins.property", "functools.cached_property", "abc.abstractproperty"})


def _property(run: Run, value: Instance, name: str, found: Called) -> Value:
    if name in value.data:
        return value.data[name]
    result = run.call(dict(found.kwargs).get("getter", found.args[0]), Arguments([value], site=run.site()))
    if found.callee == "functools.cached_property":
        run.journal.touch(value)
        value.data[name] = result
    return result


def _bound(run: Run, value: Instance, found: Value) -> Value:
    if isinstance(found, (FunctionValue, Native)):
        return BoundMethod(found, value)
    if isinstance(found, Instance) and found.cls.find("__get__") is not None:
        return run.call(run.attribute(found, "__get__"), Arguments([value, value.cls], site=run.site()))
    return _through_class(run, value.cls, found)


def _set_of_instance(run: Run, value: Instance, name: str, new: Value) -> None:
    if value.cls.refused is not None:
        lose(run, [value], value.cls.refused)
    found = value.cls.find(name)
    if isinstance(found, (Maybe, Unknown)):
        lose(run, [found], run.risky(f"{name} of {value.cls.name} may be a property"))
    for base in value.cls.classes:
        # A class that derives from a frozen one may set what is no field of that one.
        concerned = base is value.cls or any(name in each.fields for each in base.classes)
        if concerned and base.kind == "dataclass" and base.options.get("frozen") == TRUE:
            raise RaisedError("dataclasses.FrozenInstanceError", f"{name} cannot be set", run.site())
    if value.cls.options.get("slots") == TRUE:
        run.risk = True  # there may be no place for another attribute
    if isinstance(found, Called) and found.callee == "builtins.property":
        setter = dict(found.kwargs).get("setter")
        if setter is not None:
            run.call(setter, Arguments([value, new], site=run.site()))
        else:
            lose(run, [value], run.risky(f"the property {name}"))
        return
    if isinstance(found, Instance) and found.cls.find("__set__") is not None:
        run.call(run.attribute(found, "__set__"), Arguments([value, new], site=run.site()))
        return
    if value.inside is not None and name not in value.data:
        run.set_attribute(value.inside, name, new)
    if name == "__dict__":
        run.journal.blur(value, run.risky("an object gets the attributes of another one"))
        return
    run.journal.touch(value)
    value.data[name] = new


def delete_attribute(run: Run, value: Value, name: str) -> None:
    """``del value.name``"""
    run.set_attribute(value, name, run.risky(f"{name} is deleted"))


def _of_super(run: Run, value: Super, name: str) -> Value:
    receiver = value.receiver
    cls = receiver.cls if isinstance(receiver, Instance) else receiver
    if not isinstance(cls, ClassValue) or value.cls not in cls.mro:
        return run.unsettled("super() of an object that is not known")
    for base in cls.mro[cls.mro.index(value.cls) + 1 :]:
        if isinstance(base, ClassValue) and name in base.data:
            found = base.data[name]
            return _bound(run, receiver, found) if isinstance(receiver, Instance) else _through_class(run, cls, found)
        if (answer := _by_rules(SUPER, run, external_name(base), receiver, name)) is not None:
            return answer
    if name == "__new__":
        return Native("object.__new__", _new_object)
    if name in ("__init__", "__init_subclass__", "__post_init__", "__enter__", "__exit__"):
        return Native(f"super().{name}", lambda _run, _arguments: NONE)
    return run.unsettled(f"super().{name}")


def _new_object(run: Run, arguments: Arguments) -> Value:
    cls = arguments.first
    return Instance(cls, run.site()) if isinstance(cls, ClassValue) else run.unsettled("an object of some class")


_BUILTIN: dict[type, type] = {ListValue: list, DictValue: dict, SetValue: set}


def _missing(run: Run, value: Value, name: str) -> Value:
    """An attribute of an object of a builtin class that is not followed."""
    kind = type(value.value) if isinstance(value, Const) else _BUILTIN.get(type(value))
    if kind is not None and not hasattr(kind, name) and not (isinstance(value, DictValue) and value.kind):
        raise RaisedError("builtins.AttributeError", f"it has no attribute {name}", run.site())
    why = run.unsettled(f"{name} of a value")
    if isinstance(value, Mutable) and not name.startswith("__"):
        run.disturb([value], why)  # a method that is not known may change what it is called on
    return why


def of_builtin(kind: type, find: Callable[[Run, Any, str], Value | None]) -> None:
    """Let ``find`` say what the attributes are of objects of a builtin class."""
    ATTRIBUTES[kind] = lambda run, value, name: find(run, value, name) or _missing(run, value, name)


ATTRIBUTES[Unknown] = _of_unknown
ATTRIBUTES[AnyOf] = _of_any
SETTERS[Unknown] = SETTERS[AnyOf] = _set_of_unknown
ATTRIBUTES[External] = ATTRIBUTES[imports.FolderValue] = _of_external
ATTRIBUTES[Called] = _of_result
ATTRIBUTES[ModuleValue] = _of_module
SETTERS[ModuleValue] = _set_of_module
ATTRIBUTES[FunctionValue] = _of_function
ATTRIBUTES[BoundMethod] = _of_bound
ATTRIBUTES[ClassValue] = _of_class
SETTERS[FunctionValue] = SETTERS[ClassValue] = set_named
ATTRIBUTES[Subscripted] = _of_type
ATTRIBUTES[Instance] = _of_instance
SETTERS[Instance] = _set_of_instance
ATTRIBUTES[Super] = _of_super
