"""Classes of the program: their bodies, the order of their bases, and making objects of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeGuard

from pdmigrate.understand.demand.flow import block
from pdmigrate.understand.demand.operators import equal
from pdmigrate.understand.demand.run import ANY_NAME, CALLS, INSTANCES, RaisedError, Run, by_rules
from pdmigrate.understand.demand.scopes import imported_as, qualified
from pdmigrate.understand.demand.unfollowed import lose
from pdmigrate.understand.index.syntax import bound_names, chain, parameters_of, walk
from pdmigrate.understand.values.calls import Arguments, BoundMethod, Native, Partial
from pdmigrate.understand.values.containers import DictValue, ListValue, SetValue
from pdmigrate.understand.values.core import OUTSIDE, Const, TupleValue, Value
from pdmigrate.understand.values.joining import bare_value, unsettled
from pdmigrate.understand.values.journal import reachable
from pdmigrate.understand.values.objects import ClassValue, FunctionValue, Instance, Scope, text_of
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
DECIDING = {"__new__", "__getattribute__", "__setattr__", "__delattr__", "__class_getitem__"}
_HOOK = "__init_subclass__"


def make(run: Run, node: ast.ClassDef, scope: Scope) -> Value:
    """The class that a ``class`` statement makes, decorated."""
    decorators = [run.evaluate(decorator, scope) for decorator in node.decorator_list]
    bases = tuple(run.evaluate(base, scope) for base in node.bases if not isinstance(base, ast.Starred))
    cls = ClassValue(node.name, node, scope)
    cls.bases, cls.mro = bases, (cls, *_linear(run, bases))
    cls.options = {item.arg: run.evaluate(item.value, scope) for item in node.keywords if item.arg is not None}
    meta = [cls.options.pop("metaclass")] if "metaclass" in cls.options else []
    if "abc.ABCMeta" in map(external_name, meta):
        cls.mro += (External("abc.ABC"),)
    cls.kind = _kind(cls)
    spread = len(bases) < len(node.bases) or any(item.arg is None for item in node.keywords)
    unknown = next((base for base in bases if not isinstance(base, (ClassValue, External, Subscripted))), None)
    if unknown is not None or spread:
        cls.refusal = run.because(f"a base of {node.name} is computed", unknown)
    elif any(external_name(item) not in ("abc.ABCMeta", "enum.EnumMeta") for item in meta):
        cls.refusal = run.unsettled(f"{node.name} has a metaclass")
    for reason in [*_fill(run, cls, node, scope)]:
        cls.refusal = cls.refused or run.unsettled(reason)
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
    cls.watched += ((cls, cls.save()),)
    return value


def is_descriptor(value: Value | None) -> TypeGuard[Instance]:
    """Whether an object of the program decides what an attribute of a class is."""
    return isinstance(value, Instance) and value.cls.find("__get__", "__set__", "__set_name__") is not None


MODELS = ("model", "settings")
_STRICT = {"frozen", "allow_mutation", "validate_assignment", "validate_default", "validate_all"}


def is_strict(cls: ClassValue) -> bool:
    """Whether pydantic validates, or refuses, more of a model than what its constructor is given."""
    given: set[str | None] = set()
    for base in cls.classes if cls.kind in MODELS else ():
        parts = [part for field in base.fields.values() for part in walk(field.node)]
        given.update(base.options, (part.arg for part in parts if isinstance(part, ast.keyword)))
        for value in (base.data[name] for name in ("model_config", "Config") if name in base.data):
            if isinstance(value, DictValue) and value.exact:
                given.update(text_of(key) for key, _ in value.entries())
            elif isinstance(value, ClassValue):
                given.update(*(each.data for each in value.classes))
            elif not isinstance(value, Called):  # the keywords of a call were read
                return True
    return not _STRICT.isdisjoint(given)


def is_renamed(cls: ClassValue) -> bool:
    """Whether the name of a class was set, or its docstring, which may be after that was read."""
    if cls.data.get("__name__") != Const(cls.name) or text_of(cls.data.get("__qualname__")) is None:
        return True
    written = ast.get_docstring(cls.node, clean=False) if isinstance(cls.node, ast.ClassDef) else None
    if written is None and cls.kind == "dataclass":
        return False  # Python may have written one
    return cls.data.get("__doc__", Const(None)) != Const(written)


def _linear(run: Run, bases: tuple[Value, ...]) -> tuple[Value, ...]:
    """The classes after a class with these bases in its method resolution order."""
    # ``Base[int]`` of a class of the program counts as that class.
    generic = (item.base if isinstance(item, Subscripted) else None for item in bases)
    plain = [base if isinstance(base, ClassValue) else item for base, item in zip(generic, bases, strict=True)]
    sequences = [*([*base.mro] if isinstance(base, ClassValue) else [base] for base in plain), plain]
    found: list[Value] = []
    while any(sequences):
        heads = [sequence[0] for sequence in sequences if sequence]
        free = [head for head in heads if not any(head in other[1:] for other in sequences)]
        run.risk |= not free  # most such classes are refused
        head = [*free, *heads][0]
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


def _fill(run: Run, cls: ClassValue, node: ast.ClassDef, scope: Scope) -> Iterator[str]:
    """Carry out the body of a class; the result: why nothing may be concluded from it."""
    inner = Scope("class", scope.module, scope, node)
    inner.data["__doc__"] = Const(ast.get_docstring(node, clean=False))
    inner.data["__module__"] = Const(imported_as(run, scope.module))
    inner.data["__qualname__"] = qualified(run, scope, node.name)
    risk = run.risk
    if not block(run, node.body, inner):
        yield f"the body of {node.name} does not end"
    run.risk = risk or (run.risk and any(map(_may_raise, node.body)))
    cls.data = {**inner.data, "__name__": Const(node.name)}
    if cls.kind in MODELS:
        _refuse(run, cls, node)
    for value in cls.data.values():
        _own(cls, value)
    yield from (f"{node.name} defines {name}" for name in DECIDING & cls.data.keys())
    if private := _private_names(node):
        why = run.unsettled(f"{node.name} has private names: Python makes other names of them")
        cls.data |= {name: unsettled(why, cls.data[name]) for name in private & cls.data.keys()}
        yield why.reason
    if cls.kind != "plain" and any(map(_binds_inside, node.body)):
        yield f"the body of {node.name} binds names that are no plain fields"
    for statement in node.body:
        if isinstance(statement, (ast.AnnAssign, ast.Assign)):
            _field(cls, statement)
            meant = run.memory.pop(("hint", inner, statement), None)
            if meant is not None and isinstance(statement, ast.AnnAssign):
                cls.hints[statement.annotation] = meant
    parts = reachable([*cls.data.values(), *cls.hints.values()])
    containers = (item for item in parts if isinstance(item, (ListValue, DictValue, SetValue)))
    inside = (item for item in cls.data.values() if isinstance(item, ClassValue))
    cls.watched = tuple((item, item.save()) for item in (*containers, *inside))
    if any(_HOOK in base.data for base in cls.classes[1:]):
        yield f"a base of {node.name} defines {_HOOK}"
    if any(map(is_descriptor, map(bare_value, cls.data.values()))):
        yield f"{node.name} has a descriptor"


def _refuse(run: Run, cls: ClassValue, node: ast.ClassDef) -> None:
    """Raise what pydantic raises when a model is made that has a name without an annotation, or two configurations."""
    targets = [target for part in node.body if isinstance(part, ast.Assign) for target in part.targets]
    plain = [each.id for each in targets if isinstance(each, ast.Name) and not each.id.startswith("_")]
    named = {"model_config", *(chain(part.target) for part in node.body if isinstance(part, ast.AnnAssign))}
    bare = any(name not in named and isinstance(cls.data.get(name), _NO_FIELDS) for name in plain)
    if bare or {"Config", "model_config"} <= cls.data.keys():
        raise RaisedError("pydantic.errors.PydanticUserError", f"pydantic makes no model of {cls.name}", run.site())


_NO_FIELDS = (Const, ListValue, DictValue, SetValue, TupleValue)


def _may_raise(statement: ast.stmt) -> bool:
    """Whether more than annotations, decorators and what says how a model is made may raise in a class body."""
    if isinstance(statement, ast.ClassDef):
        return any(map(_may_raise, statement.body))
    value = getattr(statement, "value", None)
    if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Expr)):
        made = isinstance(value, ast.Call) and chain(value.func).endswith(_MODELLING)
        return not (value is None or made or isinstance(value, ast.Constant))
    return not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Pass))


_MODELLING = ("Field", "field", "ConfigDict", "PrivateAttr")


def _binds_inside(statement: ast.stmt) -> bool:
    """Whether a statement of a class body binds names in a way that makes no plain field."""
    if isinstance(statement, (ast.Assign, ast.Delete)):
        odd = any(isinstance(item, (ast.Tuple, ast.List, ast.Subscript)) for item in statement.targets)
        return odd or isinstance(statement, ast.Delete)
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return chain(statement.value.func) in ("exec", "setattr")
    return not isinstance(statement, _PLAINLY) and next(bound_names([statement]), None) is not None


_PLAINLY = (ast.AnnAssign, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@lru_cache(maxsize=5_000)
def _private_names(node: ast.ClassDef) -> frozenset[str]:
    """The names in a class, like ``__name``, that Python takes for ``_Class__name`` (Python's reference, 6.2.1)."""
    parts = walk(node)
    hooks = (part for part in parts if isinstance(part, ast.FunctionDef) and part.name == "model_post_init")
    unseen = {given for hook in hooks for given in parameters_of(hook)}  # no SDK shows what pydantic calls
    names = (getattr(part, kind, None) for part in parts if part not in unseen for kind in ("attr", "arg", "name"))
    texts = (name for name in names if isinstance(name, str))
    return frozenset(name for name in texts if name.startswith("__") and not name.endswith("__"))


def _field(cls: ClassValue, statement: ast.AnnAssign | ast.Assign) -> None:
    written = statement.annotation if isinstance(statement, ast.AnnAssign) else None
    for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
        if isinstance(target, ast.Name) and (written is not None or target.id in cls.data):
            known = cls.fields.get(target.id)
            annotation = written or (known.annotation if known is not None else None)
            cls.fields[target.id] = FieldOf(target.id, annotation, cls.data.get(target.id), statement)


def _own(cls: ClassValue, value: Value) -> None:
    """Say of the functions in a class body whose methods they are."""
    inner = bare_value(value)
    for part in (*inner.args, *dict(inner.kwargs).values()) if isinstance(inner, Called) else (inner,):
        if isinstance(part, FunctionValue) and part.owner is None:
            part.owner = cls


def _members(run: Run, cls: ClassValue) -> None:
    calls = [item.callee for item in cls.data.values() if isinstance(item, Called)]
    # What has ``__get__`` is no member, and of a class in an enum it depends on the release of Python.
    odd = any(isinstance(field.default, _NO_MEMBERS) for field in cls.fields.values())
    own = odd or any(isinstance(item, ClassValue) for item in cls.data.values())
    own = own or cls.find("_ignore_", "__init__", "_generate_next_value_") is not None
    if own or not _OF_ENUMS.isdisjoint(calls) or cls.derives_from("Flag"):
        cls.refusal = run.unsettled(f"{cls.name} has flags, auto(), or makes its members itself")
        cls.data |= dict.fromkeys(cls.fields, cls.refusal)
        return
    made: list[Instance] = []
    # A member of an enum that derives from a class of values, too, is what that class makes of its value.
    kind = next((_MIXED[base] for base in cls.outside if base in _MIXED), None)
    for name, field in cls.fields.items():
        private = name.startswith("__") or (name.startswith("_") and name.endswith("_"))
        payload = field.default
        if private or payload is None or isinstance(payload, FunctionValue):
            continue
        if kind is not None and isinstance(payload, TupleValue) and len(payload.items) == 1:
            payload = payload.items[0]  # ``str(*("a",))``
        if kind is not None and not (isinstance(payload, Const) and type(payload.value) is kind):
            payload = run.because(f"the result of {kind.__name__}()", payload)
        member = Instance(cls, cls.module.site(field.node))
        member.data = {"_value_": payload, "value": payload, **dict.fromkeys(("name", "_name_"), Const(name))}
        alike = [equal(each.data["_value_"], payload) for each in made]
        if True not in alike and None in alike:  # it may be another name of a member
            cls.refusal = cls.refused or run.unsettled(f"members of {cls.name} may be equal")
        cls.data[name] = made[alike.index(True)] if True in alike else member
        made.append(member)
    if (why := cls.refused) is not None:
        cls.data |= dict.fromkeys(cls.fields, why)


_NO_MEMBERS = (BoundMethod, Called, External, Native, Partial)
_OF_ENUMS = {"enum.member", "enum.nonmember", "enum.auto"}
_MIXED = {"builtins.int": int, "enum.IntEnum": int, "builtins.str": str, "builtins.float": float}


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
    instance = Instance(cls, arguments.site)
    _initialise(run, instance, arguments)
    return instance


_ABSTRACT = frozenset({"abc.ABC", "typing.Protocol", "typing_extensions.Protocol"})


def _member_of(run: Run, cls: ClassValue, arguments: Arguments) -> Value:
    wanted = arguments.first
    known = [item for item in cls.data.values() if isinstance(item, Instance) and item.cls is cls]
    settled = isinstance(wanted, Const) and all(isinstance(item.data.get("_value_"), Const) for item in known)
    if found := [item for item in known if item is wanted or (settled and item.data["_value_"] == wanted)]:
        return found[0]
    why = run.risky(f"a member of {cls.name}", wanted)
    lose(run, [cls], why)
    return why


def _initialise(run: Run, instance: Instance, arguments: Arguments) -> None:
    cls = instance.cls
    if (own := cls.find("__init__")) is not None:
        run.call(own, arguments.behind(instance))
        return
    run.risk |= cls.kind == "plain" and bool(arguments.all)
    for name in [name for name in cls.outside if name not in _PLAIN][:1]:
        run.journal.touch(instance)
        instance.rest = run.unsettled(f"{cls.name} is made by {name}", OUTSIDE)
        run.hand_over(arguments.all, instance.rest)


_PLAIN = {
    *("builtins.object", "abc.ABC", "typing.Protocol", "typing.Generic", "typing_extensions.Protocol"),
    *("fastmcp.server.middleware.Middleware", "fastmcp.server.middleware.middleware.Middleware"),
}


CALLS[ClassValue] = _call_class
