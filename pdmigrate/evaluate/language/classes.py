"""Classes of the program: class statements, the MRO, enum members, instances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.budget import charge
from pdmigrate.evaluate.core.deriving import INSTANCES, derived
from pdmigrate.evaluate.core.disturbing import poison_arguments
from pdmigrate.evaluate.core.frames import Frame
from pdmigrate.evaluate.core.immutable import doubt_among
from pdmigrate.evaluate.core.members import (
    bind_to,
    call_own,
    class_lookup,
    function_in,
    is_inert_base,
    is_method,
)
from pdmigrate.evaluate.core.operations import CALLS, call_with, evaluate, run_block
from pdmigrate.evaluate.core.python_values import describe, mixes_in
from pdmigrate.evaluate.core.values import (
    ABSTRACT,
    Arguments,
    ClassValue,
    External,
    FieldRecord,
    FunctionValue,
    Guard,
    Instance,
    Native,
    Origin,
    Scalar,
    Scope,
    Subscripted,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.evaluate.language.annotations import settle_fields
from pdmigrate.evaluate.language.calls import is_small_choice
from pdmigrate.evaluate.language.comparison import equal
from pdmigrate.evaluate.language.copying import shallow_copy
from pdmigrate.evaluate.language.functions import call_function
from pdmigrate.evaluate.language.metaclasses import is_followed, keywords_of, make_class
from pdmigrate.evaluate.language.type_parameters import parameter_scope
from pdmigrate.tree.code.bodies import docstring

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def define_class(run: Interpreter, node: cst.ClassDef, frame: Frame) -> ClassValue:
    """The class that a ``class`` statement makes, before its decorators."""
    cls = _opened(run, node, frame)
    scope = cls.scope or frame.scope
    parent = scope.parent if scope.kind == "class" else scope
    body = Scope(kind="class", parent=parent, module=frame.module, fields=cls.fields, private=cls.name)
    body.names.update({"__qualname__": const(cls.name), "__module__": const(frame.module.name)})
    inner = Frame(body, frame.module, frame.function, level=frame.level, guards_from=frame.guards_from)
    run_block(run, node.body.body, inner)
    settle_fields(run, cls, node, inner)
    cls.names = body.names
    cls.opaque = cls.opaque or body.rest
    cls.names.setdefault("__doc__", const(docstring(node), Origin("docstring", frame.place(node))))
    cls.annotations = {
        item.name: item.statement.annotation for item in cls.records if isinstance(item.statement, cst.AnnAssign)
    }
    cls.opaque = cls.opaque or _conditional(cls)
    if "model_config" in cls.names:
        cls.names["model_config"] = shallow_copy(cls.names["model_config"])
    for value in cls.names.values():
        if (function := value.as_function) is not None and function.owner is None:
            function.owner = cls
            function.kind = _KINDS.get(function.name, function.kind)
    make_class(run, cls, lambda: _finish(run, cls))
    run.defined.classes[node] = cls
    run.defined.special.update(name for name in cls.names if name.startswith("__"))
    return cls


def _opened(run: Interpreter, node: cst.ClassDef, frame: Frame) -> ClassValue:
    """A new class with the content of its statement's header: name, type parameters, bases, keywords."""
    scope, variables = parameter_scope(node.type_parameters, frame)
    head = replace(frame, scope=scope) if variables else frame
    place = frame.place(node)
    bases = tuple(evaluate(run, base.value, head) for base in node.bases)
    if variables:
        bases = (*bases, Subscripted(External("typing.Generic"), variables, origin=Origin("type parameters", place)))
    cls = ClassValue(
        name=node.name.value,
        bases=bases,
        module=frame.module,
        node=node,
        scope=scope,
        origin=Origin(f"class {node.name.value}", place),
    )
    cls.options = {k.keyword.value: evaluate(run, k.value, head) for k in node.keywords if k.keyword is not None}
    settle_head(cls)
    if any(item.star for item in (*node.bases, *node.keywords)):
        spread = reasons.unknown(reasons.UNSUPPORTED, f"the bases or keywords of {cls.name} are spread", place)
        cls.opaque = cls.opaque or spread
    return cls


def settle_head(cls: ClassValue) -> None:
    """Set ``mro``, ``kind`` and ``opaque`` of a class from its bases and keywords."""
    cls.mro = linearise(cls)
    cls.kind = _kind(cls)
    cls.opaque = _opaque(cls)


_KINDS = {"__init_subclass__": "class", "__class_getitem__": "class", "__new__": "static"}
"""The kinds that methods of these names have without being decorated."""


def _conditional(cls: ClassValue) -> UnknownValue | None:
    """Why the fields, or the special methods, of a class depend on a condition; ``None`` if they do not."""
    special = (value for name, value in cls.names.items() if name.startswith("__") and name not in _TOLD)
    doubt = first_unknown(*(value for value in special if value.branches))
    return doubt or (conditional_field(cls) if cls.kind != "plain" else None)


_TOLD = frozenset({"__doc__", "__slots__", "__module__", "__qualname__"})


def conditional_field(cls: ClassValue) -> UnknownValue | None:
    """Why the body may declare a field or not; ``None`` if it certainly does or does not."""
    records = ((item, item.element) for item in cls.fields.items)
    return doubt_among(item for item, record in records if isinstance(record, FieldRecord) and record.annotation)


def linearise(cls: ClassValue) -> tuple[Value, ...]:
    """The method resolution order (C3); classes from outside the tree count as leaves."""
    tails = [list(base.as_bases) for base in cls.bases]
    tails.append([tail[0] for tail in tails])
    result: list[Value] = [cls]
    while tails := [tail for tail in tails if tail]:
        head = next((t[0] for t in tails if not any(_in(t[0], other[1:]) for other in tails)), tails[0][0])
        result.append(head)
        tails = [[item for item in tail if not _same_class(item, head)] for tail in tails]
    return tuple(result)


def _in(value: Value, values: list[Value]) -> bool:
    return any(_same_class(value, other) for other in values)


def _same_class(first: Value, second: Value) -> bool:
    return first is second or first.outer_name == second.outer_name != ""


ENUMS = frozenset({"enum.Enum", "enum.StrEnum", "enum.IntEnum", "enum.Flag", "enum.IntFlag"})
ROOTS = frozenset({"pydantic.RootModel", "pydantic.root_model.RootModel"})
MODELS = frozenset(
    {
        "pydantic.BaseModel",
        "pydantic.main.BaseModel",
        "pydantic.v1.BaseModel",
        "pydantic_settings.BaseSettings",
        *ROOTS,
    }
)


def _kind(cls: ClassValue) -> str:
    names = cls.outside
    if names & ENUMS:
        return "enum"
    if names & MODELS:
        return "settings" if "pydantic_settings.BaseSettings" in names else "model"
    if names & {"typing.NamedTuple", "typing_extensions.NamedTuple"}:
        return "namedtuple"
    if names & {"typing.TypedDict", "typing_extensions.TypedDict"}:
        return "typeddict"
    return next((parent.kind for parent in cls.lineage[1:] if parent.kind in ("dataclass", "typeddict")), "plain")


def _opaque(cls: ClassValue) -> UnknownValue | None:
    for base in cls.mro[1:]:
        known = base.as_class
        unknown = known.opaque if known is not None else first_unknown(base)
        if unknown is not None:
            return unknown
    if any(base.as_instance is not None for base in cls.bases):
        return reasons.unknown(reasons.UNSUPPORTED, f"{cls.name} derives from an object that is no class", cls.made_at)
    metaclass = cls.options.get("metaclass")
    if metaclass is None or metaclass.library_name in ("abc.ABCMeta", "enum.EnumMeta"):
        return None
    if cls.kind == "plain" and is_followed(metaclass):
        return None
    return reasons.unknown(reasons.UNSUPPORTED, f"{cls.name} has a metaclass", cls.made_at)


def _finish(run: Interpreter, cls: ClassValue) -> None:
    """Do what Python does at the end of a class statement: enum members, ``__set_name__``, ``__init_subclass__``."""
    if cls.kind == "enum":
        make_members(run, cls)
    for name, value in list(cls.names.items()):
        call_own(run, value, "__set_name__", cls, const(name))
    hook, _ = class_lookup(ClassValue(mro=tuple(cls.lineage[1:])), "__init_subclass__")
    if hook is not None and is_method(hook):
        call_with(run, bind_to(hook, cls, cls), Arguments((), keywords_of(cls)))


def make_members(run: Interpreter, cls: ClassValue) -> None:
    """Turn the values in the body of an enum into its members."""
    methods = {"_generate_next_value_", "_missing_", "__new__", "__init__"} & cls.names.keys()
    if methods:
        cls.opaque = reasons.unknown(reasons.UNSUPPORTED, f"the enum {cls.name} defines {min(methods)}")
    mangled = f"_{cls.name.lstrip('_')}__"
    private = [name for name in cls.names if name.startswith(mangled) and not name.endswith("__")]
    if private or "_ignore_" in cls.names:
        reason = f"which names of the enum {cls.name} are members depends on {(private or ['_ignore_'])[0]}"
        cls.opaque = cls.opaque or reasons.unknown(reasons.UNSUPPORTED, reason)
    if _is_flag(cls):
        reason = f"which flags of {cls.name} are its members depends on the version of Python"
        cls.opaque = cls.opaque or reasons.unknown(reasons.PLATFORM, reason)
    payload: Value = const(0)
    scalars: dict[Scalar, Instance] = {}
    others: list[Instance] = []
    for name, value in list(cls.names.items()):
        if (name.startswith("_") and name.endswith("_")) or name in private or not _is_member(value):
            continue
        payload = _payload(cls, name, value, payload)
        charge(len(cls.members) >> 6)  # a member may be an alias of any earlier one, and is compared with all
        known = payload.scalar
        same = scalars.get(known.value) if known is not None else None
        unlike = others if known is not None else cls.members.values()
        same = same or next((m for m in unlike if equal(run, m.names["_value_"], payload) is True), None)
        if same is None:
            same = Instance(cls=cls, origin=value.origin)
            same.names = {"_name_": const(name), "_value_": payload}
            if known is not None:
                scalars[known.value] = same
            else:
                others.append(same)
        cls.names[name] = cls.members[name] = same


def _is_member(value: Value) -> bool:
    defined = value.as_function or value.as_class
    return defined is None and not isinstance(value, Native) and value.library_name != "enum.nonmember"


def _payload(cls: ClassValue, name: str, value: Value, last: Value) -> Value:
    if isinstance(value, AutoValue):
        if "enum.StrEnum" in cls.outside:
            return const(name.lower(), value.origin)
        if last.number is not None and not _is_flag(cls):
            return const(last.number + 1, value.origin)
        return reasons.unknown(reasons.UNSUPPORTED, "auto() of a flag, or after a value that is not a number")
    mixin = mixes_in(cls)
    if mixin == "str" and value.scalar is not None and value.text is None:
        return reasons.unknown(reasons.UNSUPPORTED, f"{cls.name}.{name} turns its value into text")
    if mixin is not None and value.sequence is not None:
        return reasons.unknown(reasons.UNSUPPORTED, f"{cls.name}.{name} is made from a tuple")
    return value


def _is_flag(cls: ClassValue) -> bool:
    return not cls.outside.isdisjoint(("enum.Flag", "enum.IntFlag"))


class AutoValue(Value):
    """``enum.auto()``"""


CONSTRUCTORS: dict[str, Callable[[Interpreter, ClassValue, Arguments], Value]] = {}
"""Functions that make instances of classes whose constructor follows from their fields, by ``ClassValue.kind``."""


# --- instances --------------------------------------------------------------------------------------------------------


@CALLS.of(ClassValue)
def instantiate(run: Interpreter, cls: ClassValue, arguments: Arguments) -> Value:
    """``cls(...)``"""
    meta = cls.metaclass
    caller = function_in(meta, "__call__") if meta is not None else None
    if caller is not None:
        return call_function(run, caller, _before(cls, arguments))
    return plain_instance(run, cls, arguments)


def _before(first: Value, arguments: Arguments) -> Arguments:
    return arguments._replace(positional=(first, *arguments.positional))


def plain_instance(run: Interpreter, cls: ClassValue, arguments: Arguments) -> Value:
    """``type.__call__(cls, ...)``: the result of calling a class whose metaclass does not define ``__call__``."""
    if cls.kind == "enum":
        return _member_of(run, cls, arguments)
    if cls.kind in CONSTRUCTORS:
        return CONSTRUCTORS[cls.kind](run, cls, arguments)
    missing = _abstract_methods(cls) if arguments.place is not None else []
    if missing:
        raise run.failure("TypeError", f"{cls.name} is abstract: it has no {missing[0]}()")
    return _made_with(run, cls, class_lookup(cls, "__new__")[0], arguments)


def _made_with(run: Interpreter, cls: ClassValue, maker: Value | None, arguments: Arguments) -> Value:
    """The instance that ``maker``, the ``__new__`` that the class has, makes, or ``object.__new__``."""
    if maker is not None and is_small_choice(maker):
        return run.of_each(maker, lambda side: _made_with(run, cls, side, arguments))
    if (function := maker.as_function if maker is not None else None) is not None:
        return _made_by_new(run, cls, function, arguments)
    known = derived(INSTANCES, run, cls, arguments)
    if known is not None:
        return known
    instance = Instance(cls=cls, origin=Origin(f"instance of {cls.name}", arguments.place))
    initialise(run, cls, instance, arguments)
    run.defined.add_instance(cls, instance)
    return instance


def _made_by_new(run: Interpreter, cls: ClassValue, maker: FunctionValue, arguments: Arguments) -> Value:
    made = call_function(run, maker, _before(cls, arguments))
    instance = made.as_instance
    if instance is not None and cls in instance.cls.mro:
        initialise(run, cls, instance, arguments)
        run.defined.add_instance(cls, instance)
    elif (unknown := made.as_unknown) is not None and (starter := function_in(cls, "__init__")) is not None:
        guard = Guard(f"__new__() gives an instance of {cls.name}", unknown, otherwise="it gives another object")
        run.under(guard, lambda: call_function(run, starter, _before(made, arguments)))
    return made


def _abstract_methods(cls: ClassValue) -> list[str]:
    """The abstract methods that keep ``cls`` from being instantiated."""
    metaclasses = {base.options["metaclass"].library_name for base in cls.lineage if "metaclass" in base.options}
    if "abc.ABC" not in cls.outside and "abc.ABCMeta" not in metaclasses:
        return []
    first: dict[str, Value] = {}
    for base in cls.lineage:
        first |= {name: value for name, value in base.names.items() if name not in first}
    return [n for n, value in first.items() if (method := value.as_function) is not None and ABSTRACT in method.names]


def initialise(run: Interpreter, cls: ClassValue, instance: Instance, arguments: Arguments) -> None:
    """Run ``__init__`` on a new instance."""
    found, outside = class_lookup(cls, "__init__")
    if found is not None and (initialiser := found.as_function) is not None:
        call_function(run, initialiser, _before(instance, arguments))
    elif found is not None and is_method(found):
        call_with(run, bind_to(found, instance, cls), arguments)
    elif outside is not None and not is_inert_base(outside):
        reason = f"{cls.name} is initialised by {describe(outside)}, outside the package"
        instance.rest = reasons.unknown(reasons.OUTSIDE, reason, arguments.place)
        poison_arguments(run, arguments, instance.rest)
    elif cls.opaque is not None:
        instance.rest = cls.opaque


def _member_of(run: Interpreter, cls: ClassValue, arguments: Arguments) -> Value:
    if cls.opaque is not None:
        return cls.opaque
    if len(arguments.positional) != 1 or arguments.keywords:
        return reasons.unknown(reasons.UNSUPPORTED, f"{cls.name}() makes an enum", arguments.place)
    wanted = arguments.positional[0]
    if wanted.program_class is cls:
        return wanted
    for member in cls.members.values():
        answer = equal(run, member.names["_value_"], wanted)
        if answer is not False:
            return member if answer is True else answer
    raise run.failure("ValueError", f"not a valid {cls.name}")
