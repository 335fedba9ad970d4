"""Attributes of modules, classes, objects and functions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType
from typing import Any

from pdmigrate.sdk.names import canonical
from pdmigrate.understand.demand import imports
from pdmigrate.understand.demand.classes import DECIDING, MODELS, is_descriptor, is_strict
from pdmigrate.understand.demand.flow import each_of
from pdmigrate.understand.demand.later import changed_attribute, changed_name
from pdmigrate.understand.demand.live import is_live
from pdmigrate.understand.demand.run import ATTRIBUTES, CONSTANTS, SETTERS, RaisedError, Run, by_rules
from pdmigrate.understand.demand.scopes import is_lacking, set_global
from pdmigrate.understand.demand.unfollowed import called, lose, operated
from pdmigrate.understand.values.calls import Arguments, BoundMethod, Native
from pdmigrate.understand.values.containers import Mutable
from pdmigrate.understand.values.core import FALSE, NONE, OUTSIDE, TRUE, Const, Maybe, Unknown, Value
from pdmigrate.understand.values.joining import AnyOf, certain, unsettled
from pdmigrate.understand.values.journal import reachable
from pdmigrate.understand.values.objects import ClassValue, FunctionValue, Instance, Super, describe, text_of
from pdmigrate.understand.values.outside import Called, External, ModuleValue, Subscripted, external_name

RESULT_RULES: list[Any] = []  # rules for attributes of what functions of libraries return
SUPER: list[Any] = []  # rules for ``super().name`` where a library class is next
CLASS_RULES: list[Any] = []
"""Rules for attributes of program classes that their bodies do not define: ``Model.model_json_schema``."""


def _of_unknown(run: Run, value: Unknown, name: str) -> Value:
    run.risk = True
    operated(run, frozenset({name}), value)
    return value


def _of_any(run: Run, value: AnyOf, name: str) -> Value:
    if not value.sure or not all(isinstance(option, (Instance, ClassValue)) for option in value.options):
        _of_unknown(run, value, name)
        found = [option.find(name) or NONE for option in value.options if isinstance(option, ClassValue)]
        return unsettled(
            value, *(part for each in found for part in (each.args if isinstance(each, Called) else [each]))
        )
    run.risk = True
    return each_of(run, value, value.options, lambda option: run.attribute(option, name))


def _set_of_unknown(run: Run, value: Unknown, name: str, new: Value) -> None:
    run.risk = True
    operated(run, frozenset({name}), value)
    called(run, value)
    run.disturb([value], value)
    for item in (each for each in reachable([value]) if isinstance(each, (ClassValue, FunctionValue))):
        set_named(run, item, name, unsettled(value, new, item.data.get(name, new)))


def _of_external(run: Run, value: External, name: str) -> Value:
    run.risk |= is_lacking(value.name, name)
    full = canonical(f"{value.name}.{name}")
    known = CONSTANTS.get(full)
    return known(run) if known is not None else External(full)


def _of_result(run: Run, value: Called, name: str) -> Value:
    if (found := by_rules(RESULT_RULES, run, value, name)) is not None:
        return found
    run.risk = True
    given = () if value.callee.startswith(_SERVING) else (*value.args, *(item for _, item in value.kwargs))
    return unsettled(Unknown(f"{name} of what {value.callee} returns", OUTSIDE, run.site()), *given)


_SERVING = ("mcp.server.", "uvicorn.", "hypercorn.", "starlette.", "fastapi.")
"""What is done to a transport, or to a web application, changes no tool of the server behind it."""


def _of_module(run: Run, value: ModuleValue, name: str) -> Value:
    return changed_name(run, value.module, name) or imports.member(run, value.module.path, name, imports=False)


def _set_of_module(run: Run, value: ModuleValue, name: str, new: Value) -> None:
    if (loaded := run.program.loaded.get(value.module.path)) is not None:
        set_global(run, loaded.scope, name, new)


def _of_function(run: Run, value: FunctionValue, name: str) -> Value:
    if name in value.data:
        return certain(value.data[name])
    if value.rest is not None:
        return value.rest
    if (special := FUNCTION_ATTRIBUTES.get(name)) is not None:
        return special(run, value)
    if hasattr(FunctionType, name):
        return run.unsettled(f"{name} of a function")
    names, owner, around = run.program.names, getattr(value.scope.node, "name", value.name), value.scope.parent
    at_top = around is None or (value.scope.kind == "class" and around.parent is None)
    if at_top and name in names.changed and not is_live(names, (value.module.path, owner)):
        return run.risky(f"{name} of {value.name} may be set where {value.name} has another name")
    raise RaisedError("builtins.AttributeError", f"{value.name} has no attribute {name}", run.site())


FUNCTION_ATTRIBUTES: dict[str, Callable[[Run, FunctionValue], Value]] = {}


def set_named(run: Run, value: Mutable, name: str, new: Value) -> None:
    """Set an attribute of an object that has nothing but attributes."""
    run.risk |= getattr(value, "kind", "") == "enum"  # whose members cannot be set
    run.journal.touch(value)
    value.data[name] = new
    run.spoken.add(name)
    if isinstance(value, ClassValue) and name in DECIDING:
        value.refusal = value.refusal or run.unsettled(f"{value.name} gets {name}")


def _of_bound(run: Run, value: BoundMethod, name: str) -> Value:
    own = name in ("__func__", "__self__")
    return run.unsettled("the object that a method is bound to") if own else run.attribute(value.function, name)


def _of_class(run: Run, cls: ClassValue, name: str) -> Value:
    if name == "__subclasses__":
        return External("builtins.type.__subclasses__")
    if cls.rest is not None:
        return cls.rest
    if (found := cls.find(name)) is not None:
        taken = _is_taken(cls, name, found)
        return run.risky(f"{name} of {cls.name} is a field") if taken else _through_class(run, cls, found)
    if cls.refused is not None:
        return cls.refused
    if (answer := by_rules(CLASS_RULES, run, cls, name)) is not None:
        return answer
    if name == "register" and "abc.ABC" in cls.outside:
        why = run.risky(f"which classes are registered with {cls.name}")
        run.journal.blur(cls, why)
        return why
    found = _outside(run, cls, name, f"{cls.name}.{name}")
    return unsettled(found, *cls.classes) if name.startswith("__") else found  # ``__mro__`` and ``__bases__`` hold them


def _is_taken(cls: ClassValue, name: str, found: Value) -> bool:
    """Whether a class perhaps does not keep what its body gives to a name, because that is a field."""
    home = next(base for base in cls.classes if name in base.data)
    annotation = getattr(home.fields.get(name), "annotation", None)
    if home.kind == "dataclass" and annotation is not None:
        return home.options.get("slots", FALSE) != FALSE or isinstance(found, Called)
    private = name.startswith("_") and not name.startswith("__") and not isinstance(found, FunctionValue)
    is_field = annotation is not None and "ClassVar" not in ast.unparse(annotation) and name != "model_config"
    return home.kind in (*MODELS, "namedtuple") and (is_field or private)


def _through_class(run: Run, cls: ClassValue, value: Value) -> Value:
    if is_descriptor(value):
        why = run.risky("a descriptor decides what an attribute is")
        lose(run, [value], why)
        return unsettled(why, value)
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
        at_top = (base for base in cls.classes if base.scope.kind == "module" and name in run.program.names.changed)
        if not all(is_live(run.program.names, (base.scope.module.path, base.name)) for base in at_top):
            return run.risky(f"{name} of {cls.name} may be set where {cls.name} has another name")
        raise RaisedError("builtins.AttributeError", f"there is no {what}", run.site())
    return run.risky(f"{what} is inherited from {outside[0] if outside else 'object'}", code=OUTSIDE)


_OF_ANY = frozenset({*dir(type), "__annotations__", "__static_attributes__", "__type_params__", "__firstlineno__"})
"""The attributes that a class or an object has from Python itself."""


def _of_instance(run: Run, value: Instance, name: str) -> Value:
    cls = value.cls
    if name == "__class__":
        return cls
    found = None if name in ("__name__", "__qualname__") else cls.find(name)  # these are the class's own
    if is_descriptor(found):
        return _bound(run, value, found)
    if cls.refused is not None:
        return cls.refused
    if isinstance(found, Called) and found.callee in _PROPERTIES and name not in value.data:
        getters = [each for word, each in found.kwargs if word in ("getter", "fget", "func")] or [*found.args]
        getters = getters or [run.risky(f"nothing reads {name} of {cls.name}")]
        result = run.call(getters[0], Arguments([value], site=run.site()))
        keeps = found.callee == "functools.cached_property"
        return unsettled(run.risky(f"{name} of {cls.name} keeps its result"), result) if keeps else result
    if name == "__dict__":
        return unsettled(run.risky("the attributes of an object"), value)
    if name in value.data:
        run.risk |= isinstance(value.data[name], Maybe)
        return changed_attribute(run, value, name) or certain(value.data[name])
    if value.rest is not None and not isinstance(found, FunctionValue):
        run.risk = True
        return _inherited(value, value.rest)
    if found is not None:
        later = changed_attribute(run, value, name) if not isinstance(found, FunctionValue) else None
        return later or _bound(run, value, found)
    if value.inside is not None:
        return run.attribute(value.inside, name)
    if (fallback := cls.find("__getattr__")) is not None:
        return run.call(_bound(run, value, fallback), Arguments([Const(name)], site=run.site()))
    if name in ("__setattr__", "__delattr__"):
        return BoundMethod(External(f"builtins.{name.strip('_')}"), value)
    return _inherited(value, _outside(run, value.cls, name, f"{name} of {value.cls.name}"))


def _inherited(value: Instance, why: Unknown) -> Unknown:
    """An attribute from a library: a method may call those of the class, and change what the object has."""
    own = any(base.data.keys() - _OF_EVERY_CLASS for base in value.cls.classes)
    return unsettled(why, BoundMethod(why, value)) if own and _libraries(value.cls) else why


_OF_EVERY_CLASS = frozenset({"__doc__", "__module__", "__name__", "__qualname__", "__init__"})


_PROPERTIES = frozenset({"builtins.property", "functools.cached_property", "abc.abstractproperty"})


def _bound(run: Run, value: Instance, found: Value) -> Value:
    if isinstance(found, (FunctionValue, Native)):
        return BoundMethod(found, value)
    return _through_class(run, value.cls, found)


def _set_of_instance(run: Run, value: Instance, name: str, new: Value) -> None:
    found = value.cls.find(name)
    is_property = isinstance(found, Called) and found.callee == "builtins.property"
    if value.cls.refused is not None or is_property or is_descriptor(found) or isinstance(found, (Maybe, Unknown)):
        why = run.risky(f"what sets {name} of {value.cls.name}", value.cls.refused)
        lose(run, [value, found or NONE], why)
        run.hand_over([new] if is_property else [], why)
    if is_property:
        return
    run.risk |= _may_refuse(value.cls, name)
    if is_strict(value.cls):
        new = unsettled(run.risky(f"{value.cls.name} validates what is set"), new)
    if value.inside is not None and name not in value.data:
        run.set_attribute(value.inside, name, new)
    if name == "__dict__":
        run.journal.blur(value, run.risky("an object gets the attributes of another one"))
        return
    run.journal.touch(value)
    value.data[name] = new


def _may_refuse(cls: ClassValue, name: str) -> bool:
    """Whether objects of a class may have no place for an attribute, or keep what they have."""
    if any(base.options.get(option) == TRUE for base in cls.classes for option in ("frozen", "slots")):
        return True
    slots = [base.data["__slots__"] for base in cls.classes if "__slots__" in base.data]
    places = {text_of(item) for each in slots for item in (*getattr(each, "items", ()), *getattr(each, "data", ()))}
    undeclared = cls.kind in MODELS and not any(name in base.fields for base in cls.classes)
    return undeclared or cls.kind in ("enum", "namedtuple") or (bool(slots) and name not in places)


def _of_super(run: Run, value: Super, name: str) -> Value:
    receiver = value.receiver
    cls = receiver.cls if isinstance(receiver, Instance) else receiver
    if not isinstance(cls, ClassValue) or value.cls not in cls.mro:
        return run.unsettled("super() of an object that is not known")
    for base in cls.mro[cls.mro.index(value.cls) + 1 :]:
        if isinstance(base, ClassValue) and name in base.data:
            found = base.data[name]
            return _bound(run, receiver, found) if isinstance(receiver, Instance) else _through_class(run, cls, found)
        if (answer := by_rules(SUPER, run, external_name(base), receiver, name)) is not None:
            return answer
    if name in ("__init__", "__post_init__", "__enter__", "__exit__"):
        return Native(f"super().{name}", lambda run, arguments: _made_by_base(run, value.cls, arguments))
    return run.unsettled(f"super().{name}")


def _made_by_base(run: Run, cls: ClassValue, arguments: Arguments) -> Value:
    """What ``__init__`` of a library class does: it may keep what it is given, and give it out."""
    if _libraries(cls):
        run.hand_over(arguments.all, run.unsettled(f"it is passed to a base of {cls.name}", OUTSIDE))
    return NONE


def _missing(run: Run, value: Value, name: str) -> Value:
    """An attribute of an object of a builtin class that is not followed."""
    why = run.risky(f"{name} of {describe(value)}")
    if isinstance(value, Mutable) and not name.startswith("__"):
        run.disturb([value], why)  # a method that is not known may change what it is called on
    return why


def of_builtin(kind: type, find: Callable[[Run, Any, str], Value | None]) -> None:
    """Let ``find`` say what the attributes are of objects of a builtin class."""
    ATTRIBUTES[kind] = lambda run, value, name: find(run, value, name) or _missing(run, value, name)


ATTRIBUTES |= {Unknown: _of_unknown, AnyOf: _of_any, Called: _of_result, ModuleValue: _of_module, Super: _of_super}
ATTRIBUTES |= {FunctionValue: _of_function, BoundMethod: _of_bound, ClassValue: _of_class, Instance: _of_instance}
ATTRIBUTES[External] = _of_external
ATTRIBUTES[Subscripted] = lambda run, value, name: unsettled(run.risky(f"{name} of a type"), value.base, *value.args)
SETTERS |= {FunctionValue: set_named, ClassValue: set_named, ModuleValue: _set_of_module, Instance: _set_of_instance}
SETTERS |= dict.fromkeys((Unknown, AnyOf), _set_of_unknown)
