"""Dataclasses, named tuples and pydantic models of the program: their constructors and standard methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import with_aliases
from pdmigrate.evaluate.core.members import function_in
from pdmigrate.evaluate.core.operations import call
from pdmigrate.evaluate.core.python_values import NotPlain
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    ClassValue,
    DictValue,
    EllipsisValue,
    FieldDefault,
    Instance,
    ListValue,
    Origin,
    TupleValue,
    UnknownValue,
    Value,
)
from pdmigrate.evaluate.language.classes import CONSTRUCTORS, ROOTS
from pdmigrate.evaluate.language.copying import deep_copy
from pdmigrate.evaluate.language.functions import call_function
from pdmigrate.knowledge.types.model_names import accepted, setting
from pdmigrate.knowledge.types.validating import fits

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


class ModelField(NamedTuple):
    """One field of a dataclass, model or named tuple."""

    name: str
    annotation: cst.Annotation
    value: Value | None
    """What the class body binds to the name."""
    owner: ClassValue
    keyword: bool = False
    """Whether the field comes after ``_: KW_ONLY``."""

    @property
    def call(self) -> FieldDefault | None:
        """The call of ``Field(...)`` or ``field(...)`` that describes the field."""
        return self.value if isinstance(self.value, FieldDefault) else None

    @property
    def options(self) -> Mapping[str, Value]:
        """The keywords of that call."""
        return self.call.given.keywords if self.call is not None else {}

    @property
    def in_init(self) -> bool:
        return not self.options.get("init", NONE).is_just(False)

    @property
    def has_default(self) -> bool:
        return self.value is not None and (self.call is None or not self.options.keys().isdisjoint(_DEFAULTS))

    def keyword_only(self, cls: ClassValue) -> bool:
        wanted = self.options.get("kw_only", cls.options.get("kw_only", NONE))
        return cls.kind == "model" or self.keyword or wanted.is_just(True)


_DEFAULTS = ("default", "default_factory")


def fields_of(cls: ClassValue) -> dict[str, ModelField]:
    """The fields in order, ancestors' fields first."""
    fields: dict[str, ModelField] = {}
    for base in reversed(cls.lineage):
        if base.kind == cls.kind:
            keyword = False
            for name, annotation in base.annotations.items():
                keyword = keyword or (cls.kind == "dataclass" and _annotated_as(annotation, "KW_ONLY"))
                if not _annotated_as(annotation, "ClassVar", "KW_ONLY"):
                    fields[name] = ModelField(name, annotation, base.names.get(name), base, keyword)
    return fields


def _annotated_as(annotation: cst.Annotation, *names: str) -> bool:
    # Called for every field of every class, so it compares types: ``isinstance`` is slow for nodes.
    node = annotation.annotation
    if type(node) is cst.Subscript:
        node = node.value
    named = node.attr if type(node) is cst.Attribute else node
    return type(named) is cst.Name and named.value in names


def construct(run: Interpreter, cls: ClassValue, arguments: Arguments) -> Value:
    """An instance of a class whose constructor is derived from its fields."""
    if cls.kind == "typeddict":
        if arguments.positional:
            unknown = reasons.unknown(reasons.UNSUPPORTED, f"{cls.name} from positional arguments", arguments.place)
            return with_aliases(unknown, *arguments.values)
        made = arguments.collected(arguments.keywords)
        made.rest, made.origin = arguments.unknown, cls.origin
        return made
    if cls.kind == "settings":
        reason = f"{cls.name} takes its values from the environment"
        return Instance(cls=cls, rest=reasons.unknown(reasons.ENVIRONMENT, reason, arguments.place))
    own = cls.names["__init__"].as_function if "__init__" in cls.names and cls.kind != "namedtuple" else None
    special = cls.kind == "model" and _is_special(cls)
    odd = (
        f"how {cls.name} converts its arguments" if special else "" if own is not None else _why_values_may_differ(cls)
    )
    if odd:
        unknown = with_aliases(reasons.unknown(reasons.UNSUPPORTED, odd, arguments.place), *arguments.values)
        return Instance(cls=cls, rest=unknown, origin=cls.origin)
    if cls.kind == "namedtuple":
        values = field_values(run, cls, arguments)
        return TupleValue(tuple(values.values()), tuple(values), cls, origin=Origin(cls.name, arguments.place))
    instance = Instance(cls=cls, origin=Origin(f"instance of {cls.name}", arguments.place))
    if own is not None:
        call_function(run, own, arguments._replace(positional=(instance, *arguments.positional)))
        return instance
    instance.names = field_values(run, cls, arguments)
    _after(run, cls, instance, arguments)
    return instance


_CONVERTING = (
    *("str_strip_whitespace", "str_to_lower", "str_to_upper", "str_max_length", "str_min_length", "use_enum_values"),
    *("coerce_numbers_to_str", "validate_default", "anystr_strip_whitespace", "anystr_lower", "anystr_upper"),
)
"""Settings of a model that make it convert or refuse the values it is given."""


def _why_values_may_differ(cls: ClassValue) -> str:
    """Why an instance may hold other values than it was made with; empty if it cannot."""
    if cls.kind == "dataclass" and cls.options.get("init", NONE).is_just(False):
        return f"{cls.name} has no constructor"
    if cls.kind == "dataclass" and any(_annotated_as(field.annotation, "InitVar") for field in fields_of(cls).values()):
        return f"{cls.name} has an InitVar"
    if cls.kind != "model":
        return ""
    return next((f"{cls.name} has the setting {name}" for name in _CONVERTING if setting(cls, name) is not None), "")


def _is_special(cls: ClassValue) -> bool:
    """Whether a model or an ancestor takes its values in another way than by the annotations in its body."""
    return any(base.node is None for base in cls.lineage) or not cls.outside.isdisjoint(ROOTS) or is_old(cls)


def is_old(cls: ClassValue) -> bool:
    """Whether a model derives from a class of ``pydantic.v1``."""
    return any(name.startswith("pydantic.v1.") for name in cls.outside)


def _after(run: Interpreter, cls: ClassValue, instance: Instance, arguments: Arguments) -> None:
    hook = "__post_init__" if cls.kind == "dataclass" else "model_post_init"
    if (found := function_in(cls, hook)) is not None:
        extra = (NONE,) if hook == "model_post_init" else ()
        call_function(run, found, Arguments((instance, *extra), {}, None, arguments.place))
    if cls.kind == "model" and (validator := _validator(cls)) is not None:
        reason = f"{cls.name} has the validator {validator}"
        unknown = reasons.unknown(reasons.UNSUPPORTED, reason, arguments.place)
        instance.names = dict.fromkeys(instance.names, unknown)
        instance.rest = unknown


def _validator(cls: ClassValue) -> str | None:
    """The first method that pydantic calls to check or change a value; ``None`` if the model has none."""
    named = ((name, value.as_function) for base in cls.lineage for name, value in base.names.items())
    return next((name for name, function in named if function is not None and "validator" in function.names), None)


def field_values(run: Interpreter, cls: ClassValue, arguments: Arguments) -> dict[str, Value]:
    positional, keywords = list(arguments.positional), dict(arguments.keywords)
    values: dict[str, Value] = {}
    for field in fields_of(cls).values():
        if not field.in_init:
            if cls.kind != "dataclass" or field.has_default:
                values[field.name] = _default(run, cls, field, arguments)
        elif positional and not field.keyword_only(cls):
            values[field.name] = positional.pop(0)
        else:
            values[field.name] = _by_keyword(run, cls, field, keywords, arguments)
    if (positional or keywords) and arguments.unknown is None and cls.kind != "model":
        raise run.failure("TypeError", f"{cls.name}() got an unexpected argument")
    if cls.kind == "model" and keywords and setting(cls, "extra") is not None:
        more = reasons.unknown(reasons.UNSUPPORTED, f"how {cls.name} treats extra arguments", arguments.place)
        values.update(dict.fromkeys(keywords, more))
    return values


def _by_keyword(
    run: Interpreter, cls: ClassValue, field: ModelField, keywords: dict[str, Value], arguments: Arguments
) -> Value:
    try:
        names = accepted(cls, field.owner, field.name) if cls.by_pydantic else (field.name,)
    except NotPlain as reason:
        keywords.pop(field.name, None)
        return reason.unknown
    given = next((name for name in names if name in keywords), None)
    if given is None:
        return _default(run, cls, field, arguments)
    return _validated(run, field, keywords.pop(given)) if cls.kind == "model" else keywords.pop(given)


def _validated(run: Interpreter, field: ModelField, value: Value) -> Value:
    """The value after pydantic's validation: kept if its type is exact, copied if a container, otherwise unknown."""
    if isinstance(value, UnknownValue):
        return value
    if not fits(field.annotation.annotation, value) or field.options.keys() - _HARMLESS:
        unknown = reasons.unknown(reasons.UNSUPPORTED, f"pydantic may convert {field.name}, or refuse it")
        run.risk(unknown)
        return with_aliases(unknown, value)
    if isinstance(value, DictValue):
        return DictValue(dict(value.entries), value.rest, order=value.order, origin=value.origin)
    if isinstance(value, ListValue):
        return ListValue(list(value.items), value.rest, origin=value.origin)
    return value


_HARMLESS = frozenset(
    {"default", "default_factory", "description", "title", "examples", "alias", "validation_alias", "exclude", "repr"}
    | {"serialization_alias", "json_schema_extra", "deprecated", "init", "kw_only", "frozen", "alias_priority"}
)
"""Keywords of ``Field(...)`` that put no condition on a value."""


def _default(run: Interpreter, cls: ClassValue, field: ModelField, arguments: Arguments) -> Value:
    if arguments.unknown is not None:
        return arguments.unknown
    if "default_factory" in field.options:
        return call(run, field.options["default_factory"], (), place=arguments.place)
    default = field.value if field.call is None else field.call.default
    if default is None or (cls.by_pydantic and isinstance(default, EllipsisValue)):
        if cls.by_pydantic:
            raise run.failure("ValidationError", f"{cls.name}.{field.name} is required")
        raise run.failure("TypeError", f"{cls.name}() is missing the argument {field.name}")
    return deep_copy(default) if cls.kind == "model" else default


CONSTRUCTORS.update(dict.fromkeys(("dataclass", "model", "namedtuple", "typeddict", "settings"), construct))
