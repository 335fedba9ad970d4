"""Classes and plain values that calls of a library make: ``create_model``, ``TypedDict``, ``Enum("Color", ...)``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    ClassValue,
    Const,
    DictValue,
    External,
    FieldRecord,
    ListValue,
    Native,
    Origin,
    Place,
    Scope,
    TupleValue,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.evaluate.language.classes import make_members, settle_head
from pdmigrate.evaluate.library.scalars import make_scalar
from pdmigrate.evaluate.types.annotations import containers
from pdmigrate.evaluate.types.class_specs import records
from pdmigrate.evaluate.types.library_types import MADE_TYPES, NEW_TYPES

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

Maker: TypeAlias = "Callable[[Interpreter, External, Arguments], Value]"
Pair: TypeAlias = tuple[str, Value, Value | None]
"""The name of a field, its type, its default."""


def library_call(run: Interpreter, function: External, arguments: Arguments) -> Value | None:
    """The result of a call of the standard library or of pydantic; ``None`` where nothing is known of it."""
    if function.name in MADE_TYPES:
        # ``UserId(3)`` is what it is given; the others cannot be called.
        new = function.name in NEW_TYPES and len(arguments.positional) == 1 and arguments.unknown is None
        return arguments.positional[0] if new else _odd(function, arguments)
    maker = _MAKERS.get(function.name)
    if maker is None:
        return make_scalar(run, function, arguments)
    if arguments.unknown is not None or arguments.place is None:
        return arguments.unknown
    try:
        return maker(run, function, arguments)
    except _Unreadable as reason:
        return reason.unknown


def _odd(function: External, arguments: Arguments) -> UnknownValue:
    return reasons.unknown(reasons.UNSUPPORTED, f"a call of what {function.name} makes", arguments.place)


class _Unreadable(Exception):  # noqa: N818 - not an error: the answer "this call is not followed"
    """The arguments of a call are not all known, or are of a form that is not followed."""

    def __init__(self, unknown: UnknownValue) -> None:
        super().__init__(unknown.reason)
        self.unknown = unknown


def _unreadable(what: str, place: Place | None, *values: Value) -> _Unreadable:
    return _Unreadable(first_unknown(*values) or reasons.unknown(reasons.UNSUPPORTED, what, place))


def _made(arguments: Arguments, name: str, bases: tuple[Value, ...], fields: Sequence[Pair]) -> ClassValue:
    """A class without a body of its own."""
    place = arguments.place
    assert place is not None
    records: list[Value] = [
        FieldRecord(field, place.node, annotation, default) for field, annotation, default in fields
    ]
    cls = ClassValue(
        name=name,
        bases=bases,
        module=place.module,
        scope=Scope(kind="function", module=place.module),
        fields=ListValue(list(records)),
        annotations={field: cst.Annotation(cst.Name("Any")) for field, _, _ in fields},
        origin=Origin(f"class {name}", place),
    )
    cls.names = {field: default for field, _, default in fields if default is not None}
    cls.names["__doc__"] = NONE
    settle_head(cls)
    return cls


def _in_module(run: Interpreter, cls: ClassValue, arguments: Arguments) -> ClassValue:
    """``cls`` with the names of the module in which the call stands, where text that stands for a type is read."""
    assert arguments.place is not None
    remember_contents(run, cls)
    executed = run.modules.get(arguments.place.module.path)
    if executed is not None and cls.scope is not None:
        cls.scope.parent = executed.scope
    return cls


def remember_contents(run: Interpreter, cls: ClassValue) -> None:
    """Note what is in the containers of the fields now: a schema is known as long as it stays so."""
    cls.contents = {item: item.snapshot() for record in records(cls) for item in containers(run, record)}


# --- arguments --------------------------------------------------------------------------------------------------------


def _name(arguments: Arguments, word: str) -> str:
    name = arguments.positional[0] if arguments.positional else arguments.keywords.get(word)
    if not isinstance(name, Const) or not isinstance(name.value, str):
        raise _unreadable("the name of a class that a call makes", arguments.place, *([name] if name else []))
    return name.value


def _items(value: Value, what: str, place: Place | None) -> Sequence[Value]:
    if isinstance(value, TupleValue):
        return value.items
    if isinstance(value, ListValue) and value.exact:
        return value.items
    raise _unreadable(what, place, value)


def _entries(value: Value, what: str, place: Place | None) -> list[tuple[str, Value]]:
    if not isinstance(value, DictValue) or not value.exact:
        raise _unreadable(what, place, value)
    if not all(isinstance(key, str) for key in value.entries):
        raise _unreadable(what, place)
    return [(str(key), entry.value) for key, entry in value.entries.items()]


def _text(value: Value, what: str, place: Place | None) -> str:
    if not isinstance(value, Const) or not isinstance(value.value, str):
        raise _unreadable(what, place, value)
    return value.value


def _words(value: Value, what: str, place: Place | None) -> list[str]:
    """``"x y"``, ``"x, y"`` or ``["x", "y"]``."""
    if isinstance(value, Const) and isinstance(value.value, str):
        return value.value.replace(",", " ").split()
    return [_text(item, what, place) for item in _items(value, what, place)]


def _only(arguments: Arguments, most: int, *words: str) -> None:
    if len(arguments.positional) > most or arguments.keywords.keys() - set(words):
        raise _unreadable("a class that is made with these arguments", arguments.place)


# --- the calls --------------------------------------------------------------------------------------------------------


def _create_model(run: Interpreter, _function: External, arguments: Arguments) -> Value:
    """``create_model("Name", field=(type, default), __base__=...)``."""
    name, given = _name(arguments, "model_name"), dict(arguments.keywords)
    given.pop("model_name", None)
    base, config = given.pop("__base__", NONE), given.pop("__config__", NONE)
    doc, module = given.pop("__doc__", NONE), given.pop("__module__", NONE)
    special = [word for word in given if word.startswith("__")]
    if special or len(arguments.positional) > 1 or not (isinstance(module, Const) and module.value is None):
        raise _unreadable("create_model with these arguments", arguments.place)
    cls = _made(arguments, name, _bases(base, arguments), [_field(key, item, arguments) for key, item in given.items()])
    if cls.kind != "model":
        raise _unreadable(f"the base of {name}", arguments.place, *cls.bases)
    if not (isinstance(config, Const) and config.value is None):
        if not (isinstance(base, Const) and base.value is None):
            raise _unreadable("create_model with a base and settings", arguments.place, config)
        cls.names["model_config"] = config
    cls.names["__doc__"] = doc
    return _in_module(run, cls, arguments)


def _bases(base: Value, arguments: Arguments) -> tuple[Value, ...]:
    if isinstance(base, Const) and base.value is None:
        return (External("pydantic.BaseModel"),)
    bases = base.items if isinstance(base, TupleValue) else (base,)
    unknown = first_unknown(*bases)
    if unknown is not None:
        raise _unreadable("the base of a model", arguments.place, *bases)
    return bases


def _field(name: str, value: Value, arguments: Arguments) -> Pair:
    if not isinstance(value, TupleValue):
        return name, value, None
    if len(value.items) != 2:
        raise _unreadable(f"the field {name} of a model that a call makes", arguments.place)
    default = value.items[1]
    return name, value.items[0], default


def _typed_dict(run: Interpreter, function: External, arguments: Arguments) -> Value:
    """``TypedDict("Name", {"field": type}, total=False)``."""
    _only(arguments, 2, "total")
    name, fields = _name(arguments, "typename"), arguments.positional[1:]
    if not fields:
        raise _unreadable("a TypedDict without fields", arguments.place)
    entries = _entries(fields[0], "the fields of a TypedDict", arguments.place)
    cls = _made(arguments, name, (External(function.name),), [(key, item, None) for key, item in entries])
    cls.options = dict(arguments.keywords)
    return _in_module(run, cls, arguments)


def _typed_tuple(run: Interpreter, function: External, arguments: Arguments) -> Value:
    """``NamedTuple("Name", [("field", type)])``."""
    _only(arguments, 2)
    name, what = _name(arguments, "typename"), "the fields of a NamedTuple"
    if len(arguments.positional) < 2:
        raise _unreadable(what, arguments.place)
    pairs = [_items(item, what, arguments.place) for item in _items(arguments.positional[1], what, arguments.place)]
    if any(len(pair) != 2 for pair in pairs):
        raise _unreadable(what, arguments.place)
    fields: list[Pair] = [(_text(pair[0], what, arguments.place), pair[1], None) for pair in pairs]
    return _in_module(run, _made(arguments, name, (External(function.name),), fields), arguments)


def _enum(run: Interpreter, function: External, arguments: Arguments) -> Value:
    """``Enum("Name", "A B")``, with a list of names, a list of pairs or a dict."""
    _only(arguments, 2, "type", "names", "module", "qualname")
    name, place = _name(arguments, "value"), arguments.place
    listed = arguments.positional[1] if len(arguments.positional) > 1 else arguments.keywords.get("names", NONE)
    mixin = arguments.keywords.get("type")
    bases: tuple[Value, ...] = (External(function.name),) if mixin is None else (mixin, External(function.name))
    if "module" in arguments.keywords or (isinstance(listed, Const) and listed.value is None):
        raise _unreadable("an enum that is made with these arguments", place)
    members = _members(listed, function.name, mixin, place)
    cls = _made(arguments, name, bases, [])
    if cls.kind != "enum" or cls.opaque is not None:
        raise _unreadable(f"the enum {name}", place, *bases)
    cls.fields.items += [FieldRecord(key, _node(arguments), None, item) for key, item in members]
    cls.names = dict(members)

    make_members(run, cls)
    cls.names["__doc__"] = NONE
    return cls


def _node(arguments: Arguments) -> cst.CSTNode:
    assert arguments.place is not None
    return arguments.place.node


def _members(listed: Value, kind: str, mixin: Value | None, place: Place | None) -> list[tuple[str, Value]]:
    what = "the members of an enum"
    if isinstance(listed, DictValue):
        return _entries(listed, what, place)
    items = () if isinstance(listed, Const) else _items(listed, what, place)
    if items and all(isinstance(item, (TupleValue, ListValue)) for item in items):
        pairs = [_items(item, what, place) for item in items]
        if any(len(pair) != 2 for pair in pairs):
            raise _unreadable(what, place)
        return [(_text(pair[0], what, place), pair[1]) for pair in pairs]
    numbered = mixin is None or (isinstance(mixin, Native) and mixin.name == "int")
    if kind not in ("enum.Enum", "enum.IntEnum", "enum.StrEnum") or not numbered:
        raise _unreadable(what, place)
    names = _words(listed, what, place)
    texts = kind == "enum.StrEnum"
    return [(word, const(word.lower() if texts else number)) for number, word in enumerate(names, 1)]


_MAKERS: dict[str, Maker] = {
    "pydantic.create_model": _create_model,
    "pydantic.main.create_model": _create_model,
    "typing.TypedDict": _typed_dict,
    "typing_extensions.TypedDict": _typed_dict,
    "typing.NamedTuple": _typed_tuple,
    "typing_extensions.NamedTuple": _typed_tuple,
    "enum.Enum": _enum,
    "enum.IntEnum": _enum,
    "enum.StrEnum": _enum,
}
