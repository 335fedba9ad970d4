"""Classes of the program: their bodies, the order of their bases, and making objects of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeGuard

from pdmigrate.understand.demand.flow import block
from pdmigrate.understand.demand.operators import equal, truth
from pdmigrate.understand.demand.run import ANY_NAME, CALLS, INSTANCES, RaisedError, Run, by_rules
from pdmigrate.understand.demand.scopes import imported_as, qualified
from pdmigrate.understand.demand.unfollowed import lose
from pdmigrate.understand.index.modules import as_written
from pdmigrate.understand.index.syntax import bound_names, chain
from pdmigrate.understand.values.containers import DictValue, ListValue, SetValue
from pdmigrate.understand.values.core import NONE, OUTSIDE, Const, Value
from pdmigrate.understand.values.joining import bare_value, unsettled
from pdmigrate.understand.values.journal import reachable
from pdmigrate.understand.values.objects import Arguments, ClassValue, FunctionValue, Instance, Scope, key_of, text_of
from pdmigrate.understand.values.outside import Called, External, Subscripted, external_name


@dataclass(frozen=True, slots=True)
class FieldOf:
    """One annotated name of a class body, or a plain assignment in it."""

    name: str
    annotation: ast.expr | None
    default: Value | None
    node: ast.stmt


_KINDS = {
    **dict.fromkeys(("pydantic.BaseModel", "pydantic.main.BaseModel", "pydantic.RootModel"), "model"),
    "pydantic_settings.BaseSettings": "settings",
    **dict.fromkeys(("enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"), "enum"),
    **dict.fromkeys(("typing.TypedDict", "typing_extensions.TypedDict"), "typeddict"),
    **dict.fromkeys(("typing.NamedTuple", "typing_extensions.NamedTuple"), "namedtuple"),
}
"""The kinds of classes that derive from a class of a library."""
_REFUSED = {"__getattribute__", "__setattr__", "__delattr__", "__class_getitem__"}


_HOOK = "__init_subclass__"


def make(run: Run, node: ast.ClassDef, scope: Scope) -> Value:
    """The class that a ``class`` statement makes, decorated."""
    decorators = [run.evaluate(decorator, scope) for decorator in node.decorator_list]
    bases = tuple(run.evaluate(base, scope) for base in node.bases if not isinstance(base, ast.Starred))
    cls = ClassValue(node.name, node, scope)
    cls.bases = bases
    cls.mro = (cls, *_linear(bases))
    options = {item.arg: run.evaluate(item.value, scope) for item in node.keywords if item.arg is not None}
    cls.kind = _kind(cls)
    meta = [options.pop("metaclass")] if "metaclass" in options else []
    if any(external_name(item) not in ("abc.ABCMeta", "enum.EnumMeta") for item in meta):
        cls.refused = run.unsettled(f"{node.name} has a metaclass")
    cls.options = options
    spread = len(bases) < len(node.bases) or any(item.arg is None for item in node.keywords)
    unknown = next((base for base in bases if not isinstance(base, (ClassValue, External, Subscripted))), None)
    if unknown is not None or spread:
        cls.refused = run.because(f"a base of {node.name} is computed", unknown or NONE)
    cls.refused = next((base.refused for base in cls.classes if base.refused is not None), None)
    _fill(run, cls, node, scope)
    if any(_HOOK in base.data for base in cls.classes[1:]):
        cls.refused = cls.refused or run.unsettled(f"a base of {node.name} defines {_HOOK}")
    if any(map(is_descriptor, map(bare_value, cls.data.values()))):
        cls.refused = cls.refused or run.unsettled(f"{node.name} has a descriptor")
    run.spoken |= cls.data.keys()
    if cls.kind == "enum" and cls.refused is None:
        _members(run, cls)
    if cls.refused is not None:
        run.spoken.add(ANY_NAME)
        lose(run, [cls, *bases, *meta], cls.refused)
    value: Value = cls
    cls.decorators = tuple(decorators)
    for decorator in reversed(decorators):
        value = run.call(decorator, Arguments([value], site=scope.module.site(node), node=node))
    return value


def is_descriptor(value: Value | None) -> TypeGuard[Instance]:
    """Whether an object of the program decides what an attribute of a class is."""
    return isinstance(value, Instance) and value.cls.find("__get__", "__set__", "__set_name__") is not None


def is_renamed(cls: ClassValue) -> bool:
    """Whether the name of a class was set, or its docstring, which may be after that was read."""
    if cls.data.get("__name__") != Const(cls.name) or text_of(cls.data.get("__qualname__")) is None:
        return True
    written = ast.get_docstring(cls.node, clean=False) if isinstance(cls.node, ast.ClassDef) else None
    if written is None and cls.kind == "dataclass":
        return False  # Python may have written one
    return cls.data.get("__doc__", Const(None)) != Const(written)


def _linear(bases: tuple[Value, ...]) -> tuple[Value, ...]:
    """The classes after a class with these bases in its method resolution order."""
    # ``Base[int]`` of a class of the program counts as that class.
    generic = [item.base if isinstance(item, Subscripted) else None for item in bases]
    plain = [base if isinstance(base, ClassValue) else item for base, item in zip(generic, bases, strict=True)]
    sequences = [list(base.mro) if isinstance(base, ClassValue) else [base] for base in plain]
    sequences.append(list(plain))
    found: list[Value] = []
    while any(sequences):
        heads = [sequence[0] for sequence in sequences if sequence]
        head = next((head for head in heads if not any(head in other[1:] for other in sequences)), heads[0])
        found.append(head)
        sequences = [[item for item in other if item is not head and item != head] for other in sequences]
    return tuple(found)


def _kind(cls: ClassValue) -> str:
    for base in cls.mro[1:]:
        if isinstance(base, ClassValue) and base.kind != "plain":
            return base.kind
        name = external_name(base)
        if name in _KINDS or (name.startswith("pydantic.") and name.endswith("Model")):
            return _KINDS.get(name, "model")
    return "plain"


def _fill(run: Run, cls: ClassValue, node: ast.ClassDef, scope: Scope) -> None:
    inner = Scope("class", scope.module, scope, node)
    inner.data["__doc__"] = Const(ast.get_docstring(node, clean=False))
    inner.data["__module__"] = Const(imported_as(run, scope.module))
    inner.data["__qualname__"] = qualified(run, scope, node.name)
    risk = run.risk
    fell = block(run, node.body, inner)
    run.risk = risk
    if not fell:
        cls.refused = cls.refused or run.unsettled(f"the body of {node.name} does not end")
    cls.data = {**inner.data, "__name__": Const(node.name)}
    for value in cls.data.values():
        _own(cls, value)
    for name in _REFUSED & cls.data.keys():
        cls.refused = cls.refused or run.unsettled(f"{node.name} defines {name}")
    kept = reachable(cls.data.values())
    containers = [item for item in kept if isinstance(item, (ListValue, DictValue, SetValue))]
    inside = [item for item in cls.data.values() if isinstance(item, ClassValue)]
    cls.watched = tuple((item, item.save()) for item in (*containers, *inside))
    if cls.kind != "plain" and any(_binds_inside(each) for each in _carried_out(run, node.body, inner)):
        cls.refused = cls.refused or run.unsettled(f"the body of {node.name} binds names under a condition")
    for statement in node.body:
        if isinstance(statement, (ast.AnnAssign, ast.Assign)):
            _field(cls, statement)
            meant = run.memory.pop(("hint", inner, statement), None)
            if meant is not None and isinstance(statement, ast.AnnAssign):
                cls.hints[statement.annotation] = meant


def _carried_out(run: Run, body: list[ast.stmt], scope: Scope) -> Iterator[ast.stmt]:
    """The statements of a class body without what is there for type checkers alone: ``if TYPE_CHECKING:``"""
    for statement in body:
        test = statement.test if isinstance(statement, ast.If) and not statement.orelse else None
        if not isinstance(test, (ast.Name, ast.Attribute)) or truth(run, run.evaluate(test, scope)) is not False:
            yield statement


def _binds_inside(statement: ast.stmt) -> bool:
    """Whether a statement of a class body binds names in a way that makes no plain field."""
    if isinstance(statement, (ast.Assign, ast.AugAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        return not targets or any(isinstance(item, (ast.Tuple, ast.List, ast.Subscript)) for item in targets)
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return chain(statement.value.func) in ("exec", "setattr")
    compound = isinstance(statement, (ast.If, ast.Try, ast.For, ast.While, ast.With, ast.Match))
    return compound and next(bound_names([statement]), None) is not None


def _field(cls: ClassValue, statement: ast.AnnAssign | ast.Assign) -> None:
    annotation = statement.annotation if isinstance(statement, ast.AnnAssign) else None
    for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
        if isinstance(target, ast.Name) and (annotation is not None or target.id in cls.data):
            default = cls.data.get(target.id) if statement.value is not None else None
            cls.fields[target.id] = FieldOf(target.id, annotation, default, statement)


def _own(cls: ClassValue, value: Value) -> None:
    """Say of the functions in a class body whose methods they are."""
    inner = bare_value(value)
    for part in (*inner.args, *dict(inner.kwargs).values()) if isinstance(inner, Called) else (inner,):
        if isinstance(part, FunctionValue) and part.owner is None:
            part.owner = cls


def _members(run: Run, cls: ClassValue) -> None:
    calls = [field.default.callee for field in cls.fields.values() if isinstance(field.default, Called)]
    own = cls.find("_ignore_", "__new__", "__init__", "_generate_next_value_") is not None
    if own or not {"enum.member", "enum.nonmember"}.isdisjoint(calls):
        cls.refused = run.unsettled(f"{cls.name} leaves names of its body out, or makes its members itself")
        cls.data |= dict.fromkeys(cls.fields, cls.refused)
        return
    before: list[Value] = []
    made: list[Instance] = []
    by_value: dict[object, Instance] = {}
    for name, field in cls.fields.items():
        private = as_written(name, cls.name).startswith("__") or (name.startswith("_") and name.endswith("_"))
        if private or field.default is None or isinstance(field.default, FunctionValue):
            continue
        payload = field.default
        if isinstance(payload, Called) and payload.callee == "enum.auto":
            # Each ``auto()`` gets one value: another name for it, here or in another enum, is that value again.
            if (auto := ("auto", id(payload))) not in run.memory:
                run.memory[auto] = payload, _next_value(run, cls, name, before)
            payload = run.memory[auto][1]
        cls.fields[name] = replace(field, default=payload)
        before.append(payload)
        member = Instance(cls, cls.module.site(field.node))
        payload = member.data["_value_"] = _mixed(run, cls, payload)
        member.data.update(name=Const(name), _name_=Const(name))
        member.data["value"] = payload
        if (key := key_of(payload)) is not None:
            cls.data[name] = by_value.setdefault(key, member)
        else:
            cls.data[name] = next((each for each in made if equal(each.data["_value_"], payload)), member)
        made.append(member)


def _next_value(run: Run, cls: ClassValue, name: str, before: list[Value]) -> Value:
    """What ``auto()`` stands for behind these values of other members."""
    if any(base.endswith("StrEnum") for base in cls.outside):
        return Const(name.lower())
    numbers = [item.value for item in before if isinstance(item, Const) and type(item.value) is int]
    last = numbers[-1] if numbers else 0
    # From Python 3.11 on the largest number counts, before it the last one.
    if len(numbers) < len(before) or last != max(numbers, default=0):
        return run.unsettled("a value that depends on the release of Python")
    return Const(1 << last.bit_length() if any(base.endswith("Flag") for base in cls.outside) else last + 1)


_MIXED = {
    **dict.fromkeys(("builtins.int", "enum.IntEnum", "enum.IntFlag"), int),
    "builtins.str": str,
    "builtins.float": float,
}


def _mixed(run: Run, cls: ClassValue, payload: Value) -> Value:
    """The value of a member of an enum that derives from a class of values, too: that class makes it."""
    kind = next((_MIXED[base] for base in cls.outside if base in _MIXED), None)
    if kind is None or (isinstance(payload, Const) and type(payload.value) is kind):
        return payload
    if kind is str and isinstance(payload, Const):
        return Const(str(payload.value))
    return run.because(f"what {kind.__name__}() makes of a value", payload)


def _call_class(run: Run, cls: ClassValue, arguments: Arguments) -> Value:
    """``cls(...)``: an object whose constructor is carried out when something of the object is asked for."""
    if (made := by_rules(INSTANCES, run, cls, arguments)) is not None:
        return made
    if cls.refused is not None:
        run.hand_over(arguments.all, cls.refused)
        lose(run, [cls], cls.refused)
        run.risk = True
        return unsettled(cls.refused, cls)
    if cls.kind == "enum":
        return _member_of(run, cls, arguments)
    run.risk |= not _ABSTRACT.isdisjoint(cls.outside)  # a method may be left abstract
    maker = cls.find("__new__")  # it may return an object that was made before
    instance = Instance(cls, arguments.site) if maker is None else run.call(maker, arguments.behind(cls))
    if not isinstance(instance, Instance) or cls not in instance.cls.mro:
        return instance
    _initialise(run, instance, arguments)
    return instance


_ABSTRACT = frozenset({"abc.ABC", "typing.Protocol", "typing_extensions.Protocol"})


def _member_of(run: Run, cls: ClassValue, arguments: Arguments) -> Value:
    wanted = arguments.positional[0] if len(arguments.positional) == 1 else None
    if isinstance(wanted, Instance) and wanted.cls is cls:
        return wanted
    known = [item for item in cls.data.values() if isinstance(item, Instance) and item.cls is cls]
    if isinstance(wanted, Const) and all(isinstance(item.data.get("_value_"), Const) for item in known):
        found = next((item for item in known if item.data["_value_"] == wanted), None)
        if found is not None:
            return found
        if cls.find("_missing_") is None and not any(base.endswith("Flag") for base in cls.outside):
            raise RaisedError("builtins.ValueError", f"{cls.name} has no such member", run.site())
    why = run.risky(f"a member of {cls.name}", wanted)
    if cls.find("_missing_") is not None:
        lose(run, [cls], why)
    return why


def _initialise(run: Run, instance: Instance, arguments: Arguments) -> None:
    cls = instance.cls
    own = cls.find("__init__")
    if own is not None:
        run.call(own, arguments.behind(instance))
        return
    plain = cls.kind == "plain" and not {*cls.outside} - _PLAIN and not any(base.decorators for base in cls.classes)
    if plain and arguments.all and arguments.unknown is None and cls.find("__new__") is None:
        raise RaisedError("builtins.TypeError", f"{cls.name}() takes no arguments", run.site())
    for name in [name for name in cls.outside if name not in _PLAIN][:1]:
        run.journal.touch(instance)
        instance.rest = run.unsettled(f"{cls.name} is made by {name}", OUTSIDE)
        run.hand_over(arguments.all, instance.rest)


_PLAIN = frozenset(
    {
        *("builtins.object", "abc.ABC", "typing.Protocol", "typing.Generic", "typing_extensions.Protocol"),
        *("fastmcp.server.middleware.Middleware", "fastmcp.server.middleware.middleware.Middleware"),
    }
)


CALLS[ClassValue] = _call_class
