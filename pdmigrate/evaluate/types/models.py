"""Dataclasses, named tuples and pydantic models of the program: their constructors and standard methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import leading_to
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    BoundMethod,
    ClassValue,
    Const,
    DictValue,
    Entry,
    External,
    FunctionValue,
    Instance,
    ListValue,
    Native,
    Origin,
    Place,
    Subscripted,
    TupleValue,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.evaluate.language.functions import call_function
from pdmigrate.evaluate.language.scopes import first_unknown
from pdmigrate.evaluate.types.model_names import FieldDefault as FieldDefault
from pdmigrate.evaluate.types.model_names import accepted, odd_dump, setting

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


SCHEMAS = frozenset({"model_json_schema", "schema", "schema_json"})
"""Class methods of a model that give its schema."""


class ModelField(NamedTuple):
    """One field of a dataclass, model or named tuple."""

    name: str
    annotation: cst.Annotation
    default: Value | None
    owner: ClassValue
    keyword: bool = False
    """Whether it stands after ``_: KW_ONLY``."""


def fields_of(cls: ClassValue) -> dict[str, ModelField]:
    """The fields, in order, those of ancestors first."""
    fields: dict[str, ModelField] = {}
    for base in reversed(cls.mro):
        if isinstance(base, ClassValue) and base.kind == cls.kind:
            keyword = False
            for name, annotation in base.annotations.items():
                keyword = keyword or (cls.kind == "dataclass" and _annotated_as(annotation, "KW_ONLY"))
                if not _annotated_as(annotation, "ClassVar", "KW_ONLY"):
                    fields[name] = ModelField(name, annotation, base.names.get(name), base, keyword)
    return fields


def _annotated_as(annotation: cst.Annotation, *names: str) -> bool:
    # Asked of every field of every class, so by types: ``isinstance`` is slow for nodes.
    node = annotation.annotation
    if type(node) is cst.Subscript:
        node = node.value
    named = node.attr if type(node) is cst.Attribute else node
    return type(named) is cst.Name and named.value in names


def construct(run: Interpreter, cls: ClassValue, arguments: Arguments) -> Value:
    """An instance of a class whose constructor comes from its fields."""
    if cls.kind == "typeddict":
        if arguments.positional:
            unknown = reasons.unknown(reasons.UNSUPPORTED, f"{cls.name} made of something else", arguments.place)
            return leading_to(unknown, *arguments.positional, *arguments.keywords.values())
        made = arguments.collected(arguments.keywords)
        made.rest, made.origin = arguments.unknown, cls.origin
        return made
    if cls.kind == "settings":
        reason = f"{cls.name} takes its values from the environment"
        return Instance(cls=cls, rest=reasons.unknown(reasons.ENVIRONMENT, reason, arguments.place))
    if cls.kind == "model" and _is_special(cls):
        unknown = reasons.unknown(reasons.UNSUPPORTED, f"what {cls.name} makes of its arguments", arguments.place)
        return Instance(
            cls=cls, rest=leading_to(unknown, *arguments.positional, *arguments.keywords.values()), origin=cls.origin
        )
    own = cls.names.get("__init__") if cls.kind != "namedtuple" else None
    if isinstance(own, FunctionValue):
        instance = Instance(cls=cls, origin=Origin(f"instance of {cls.name}", arguments.place))
        call_function(run, own, arguments._replace(positional=(instance, *arguments.positional)))
        return instance
    odd = _odd_fields(cls, arguments)
    if odd is not None:
        return Instance(cls=cls, rest=odd, origin=cls.origin)
    values = _field_values(run, cls, arguments)
    if cls.kind == "namedtuple":
        return TupleValue(tuple(values.values()), tuple(values), cls, origin=Origin(cls.name, arguments.place))
    instance = Instance(cls=cls, origin=Origin(f"instance of {cls.name}", arguments.place))
    instance.names = values
    _after(run, cls, instance, arguments)
    return instance


_CONVERTING = (
    *("str_strip_whitespace", "str_to_lower", "str_to_upper", "str_max_length", "str_min_length", "use_enum_values"),
    *("coerce_numbers_to_str", "validate_default", "anystr_strip_whitespace", "anystr_lower", "anystr_upper"),
)
"""Settings of a model that change, or refuse, what it is given."""


def _odd_fields(cls: ClassValue, arguments: Arguments) -> UnknownValue | None:
    """Why what an instance holds is not what it was made with."""
    given = (*arguments.positional, *arguments.keywords.values())
    if cls.kind == "dataclass" and any(_annotated_as(field.annotation, "InitVar") for field in fields_of(cls).values()):
        unknown = reasons.unknown(reasons.UNSUPPORTED, f"{cls.name} has an InitVar", arguments.place)
        return leading_to(unknown, *given)
    name = next((name for name in _CONVERTING if setting(cls, name) is not None), None) if cls.kind == "model" else None
    if name is None:
        return None
    unknown = reasons.unknown(reasons.UNSUPPORTED, f"{cls.name} has the setting {name}", arguments.place)
    return leading_to(unknown, *given)


def _is_special(cls: ClassValue) -> bool:
    """Whether a model takes its values in another way than by the annotations in its body, or its ancestors' do."""
    from pdmigrate.evaluate.language.classes import ROOTS

    return any(
        base.node is None if isinstance(base, ClassValue) else isinstance(base, External) and base.name in ROOTS
        for base in cls.mro
    ) or is_old(cls)


def is_old(cls: ClassValue) -> bool:
    """Whether a model is one of ``pydantic.v1``."""
    return any(isinstance(base, External) and base.name.startswith("pydantic.v1.") for base in cls.mro)


def _after(run: Interpreter, cls: ClassValue, instance: Instance, arguments: Arguments) -> None:
    from pdmigrate.evaluate.language.attributes import class_lookup

    hook = "__post_init__" if cls.kind == "dataclass" else "model_post_init"
    found, _ = class_lookup(cls, hook)
    if isinstance(found, FunctionValue):
        extra = (NONE,) if hook == "model_post_init" else ()
        call_function(run, found, Arguments((instance, *extra), {}, None, arguments.place))
    if cls.kind == "model":
        validators = [n for c in cls.mro if isinstance(c, ClassValue) for n, v in c.names.items() if _is_validator(v)]
        if validators:
            reason = f"{cls.name} has the validator {validators[0]}"
            unknown = reasons.unknown(reasons.UNSUPPORTED, reason, arguments.place)
            instance.names = dict.fromkeys(instance.names, unknown)
            instance.rest = unknown


def _is_validator(value: Value) -> bool:
    return isinstance(value, FunctionValue) and "validator" in value.names


def _field_values(run: Interpreter, cls: ClassValue, arguments: Arguments) -> dict[str, Value]:
    positional, keywords = list(arguments.positional), dict(arguments.keywords)
    values: dict[str, Value] = {}
    for field in fields_of(cls).values():
        if not _in_init(field) and cls.kind == "dataclass" and not _has_default(field):
            continue
        if not _in_init(field):
            values[field.name] = _default(run, cls, field, arguments)
        elif positional and not _keyword_only(cls, field):
            values[field.name] = positional.pop(0)
        else:
            values[field.name] = _by_keyword(run, cls, field, keywords, arguments)
    if (positional or keywords) and arguments.unknown is None and cls.kind != "model":
        raise run.failure("TypeError", f"{cls.name}() got an unexpected argument")
    if cls.kind == "model" and keywords and setting(cls, "extra") is not None:
        more = reasons.unknown(reasons.UNSUPPORTED, f"what {cls.name} makes of more arguments", arguments.place)
        values.update(dict.fromkeys(keywords, more))
    return values


def _by_keyword(
    run: Interpreter, cls: ClassValue, field: ModelField, keywords: dict[str, Value], arguments: Arguments
) -> Value:
    names: tuple[str, ...] | UnknownValue = (field.name,)
    if cls.kind == "model" or cls.maker.startswith("pydantic."):
        names = accepted(cls, field.owner, field.name)
    if isinstance(names, UnknownValue):
        keywords.pop(field.name, None)
        return names
    given = next((name for name in names if name in keywords), None)
    if given is None:
        return _default(run, cls, field, arguments)
    return _validated(run, field, keywords.pop(given)) if cls.kind == "model" else keywords.pop(given)


def _validated(run: Interpreter, field: ModelField, value: Value) -> Value:
    """What pydantic makes of a value: one of the very type stays, containers are copied, others may be converted."""
    from pdmigrate.evaluate.types.validating import fits

    if isinstance(value, UnknownValue):
        return value
    if not fits(field.annotation.annotation, value) or _is_constrained(field):
        unknown = reasons.unknown(reasons.UNSUPPORTED, f"pydantic may convert {field.name}, or refuse it")
        run.risk(unknown)
        return leading_to(unknown, value)
    if isinstance(value, DictValue):
        return DictValue(dict(value.entries), value.rest, order=value.order, origin=value.origin)
    if isinstance(value, ListValue):
        return ListValue(list(value.items), value.rest, origin=value.origin)
    return value


_HARMLESS = frozenset(
    {"default", "default_factory", "description", "title", "examples", "alias", "validation_alias", "exclude", "repr"}
    | {"serialization_alias", "json_schema_extra", "deprecated", "init", "kw_only", "frozen", "alias_priority"}
)


def _is_constrained(field: ModelField) -> bool:
    """Whether the field has a condition on its value, by ``Field(...)``."""
    default = field.default
    return isinstance(default, FieldDefault) and bool(default.keywords.keys() - _HARMLESS)


def _in_init(field: ModelField) -> bool:
    if isinstance(field.default, FieldDefault):
        init = field.default.keywords.get("init")
        return not (isinstance(init, Const) and init.value is False)
    return True


def _has_default(field: ModelField) -> bool:
    given = field.default
    return given is not None and not (
        isinstance(given, FieldDefault) and not given.keywords.keys() & {"default", "default_factory"}
    )


def _keyword_only(cls: ClassValue, field: ModelField) -> bool:
    if cls.kind == "model":
        return True
    if field.keyword:
        return True
    option = cls.options.get("kw_only")
    if isinstance(field.default, FieldDefault):
        option = field.default.keywords.get("kw_only", option)
    return isinstance(option, Const) and option.value is True


def _default(run: Interpreter, cls: ClassValue, field: ModelField, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.language.calls import call

    if arguments.unknown is not None:
        return arguments.unknown
    default = field.default
    if isinstance(default, FieldDefault):
        if "default_factory" in default.keywords:
            return call(run, default.keywords["default_factory"], (), place=arguments.place)
        if "default" in default.keywords:
            return default.keywords["default"]
        if default.which == "pydantic" and default.positional:
            return default.positional[0]
        default = None
    if default is None or (isinstance(default, Const) is False and default.__class__.__name__ == "EllipsisValue"):
        if cls.kind == "model":
            raise run.failure("ValidationError", f"{cls.name}.{field.name} is required")
        raise run.failure("TypeError", f"{cls.name}() misses the argument {field.name}")
    return _own_copy(default) if cls.kind == "model" else default


def _own_copy(value: Value) -> Value:
    """Pydantic copies a mutable default for every instance."""
    from pdmigrate.evaluate.language.copying import deep_copy

    return deep_copy(value)


# --- methods that these classes have ----------------------------------------------------------------------------------


def instance_method(run: Interpreter, value: Instance, name: str) -> Value | None:
    """A method that dataclasses and models get from their library."""
    if value.cls.kind != "model":
        return None
    if name in ("model_dump", "dict"):
        return BoundMethod(Native("model_dump", _dump), value)
    if name in ("model_copy", "copy"):
        return BoundMethod(Native("model_copy", _copy), value)
    return class_method(run, value.cls, name) or (
        reasons.unknown(reasons.UNSUPPORTED, f"{name} of a pydantic model")
        if name.startswith(("model_", "__"))
        else None
    )


def class_method(run: Interpreter, cls: ClassValue, name: str) -> Value | None:
    """A class method that a model or named tuple has from its library."""
    from pdmigrate.evaluate.types.type_schemas import schema_method

    if cls.kind == "model":
        if is_old(cls) and name.startswith("model_"):
            raise run.failure("AttributeError", f"class {cls.name} has no attribute {name}")
        if name in SCHEMAS:
            return schema_method(cls, name)
        if name in ("model_validate", "parse_obj"):
            return BoundMethod(Native(name, _validate), cls)
        if name in ("model_rebuild", "update_forward_refs"):
            return BoundMethod(Native(name, _rebuild), cls)
        if name in ("__fields__", "__pydantic_fields__") or name.startswith("model_"):
            owner = cls if name not in ("model_construct", "model_validate_json") else None
            return UnknownValue(f"{name} of a pydantic model", reasons.UNSUPPORTED, owner=owner)
    if cls.kind == "namedtuple" and name == "_fields":
        return TupleValue(tuple(const(field) for field in fields_of(cls)))
    if cls.kind in ("dataclass", "namedtuple") and name in ("__dataclass_fields__", "_make"):
        return reasons.unknown(reasons.UNSUPPORTED, f"{name} of {cls.name}")
    return None


def parametrised_attribute(value: Subscripted, name: str, place: Place | None) -> Value | None:
    """``Page[Item].name``, where that is not what ``Page.name`` is."""
    from pdmigrate.evaluate.language.attributes import class_lookup
    from pdmigrate.evaluate.types.type_schemas import schema_method

    if not isinstance(value.base, ClassValue) or value.base.kind not in ("model", "settings"):
        return None
    found, _ = class_lookup(value.base, name)
    if isinstance(found, FunctionValue) and found.kind == "class":
        return BoundMethod(found, value)
    if found is not None and not name.startswith("__"):
        return None
    if found is None and value.base.opaque is None and name in SCHEMAS:
        return schema_method(value, name)
    return reasons.unknown(reasons.UNSUPPORTED, f"{name} of {value.base.name}[...]", place)


def parametrised_instance(function: Subscripted, arguments: Arguments) -> Value | None:
    """``Page[Item](...)``: the arguments decide what becomes of its fields."""
    if isinstance(function.base, ClassValue) and function.base.kind in ("model", "settings"):
        reason = f"an instance of {function.base.name}[...]"
        unknown = reasons.unknown(reasons.UNSUPPORTED, reason, arguments.place)
        return leading_to(unknown, *arguments.positional, *arguments.keywords.values())
    return None


def _rebuild(_run: Interpreter, arguments: Arguments) -> Value:
    """``model_rebuild()`` reads forward references again; with arguments it may read them in any way."""
    cls = arguments.positional[0]
    unknown = reasons.unknown(reasons.UNSUPPORTED, "model_rebuild with arguments", arguments.place)
    if isinstance(cls, ClassValue) and (len(arguments.positional) > 1 or arguments.keywords.keys() - {"raise_errors"}):
        cls.opaque = cls.opaque or unknown
    return reasons.unknown(reasons.UNSUPPORTED, "what model_rebuild gives", arguments.place)


def _validate(run: Interpreter, arguments: Arguments) -> Value:
    cls, data = arguments.positional[0], arguments.positional[1] if len(arguments.positional) > 1 else NONE
    assert isinstance(cls, ClassValue)
    unknown = first_unknown(data)
    if unknown is not None:
        return unknown
    if not isinstance(data, DictValue) or not data.exact:
        return reasons.unknown(
            reasons.UNSUPPORTED, "model_validate of something that is no known dict", arguments.place
        )
    keywords = {str(key): entry.value for key, entry in data.entries.items()}
    return construct(run, cls, Arguments((), keywords, None, arguments.place))


def _dump(_run: Interpreter, arguments: Arguments) -> Value:
    value = arguments.positional[0]
    assert isinstance(value, Instance)
    if len(arguments.positional) > 1 or arguments.keywords.keys() - {"exclude_none", "by_alias"}:
        return reasons.unknown(reasons.UNSUPPORTED, "model_dump with these arguments", arguments.place)
    by_alias = arguments.keywords.get("by_alias", const(False))
    odd = odd_dump(value.cls, by_alias=not (isinstance(by_alias, Const) and by_alias.value is False))
    if odd is not None:
        return odd
    skip = arguments.keywords.get("exclude_none")
    drop = isinstance(skip, Const) and skip.value is True
    result = DictValue(rest=value.rest, origin=Origin("model_dump", arguments.place))
    for name, item in value.names.items():
        if drop and isinstance(item, Const) and item.value is None:
            continue
        if not isinstance(item, (Const, UnknownValue)):
            result.rest = result.rest or reasons.unknown(reasons.UNSUPPORTED, f"model_dump of {name}", arguments.place)
        result.entries[name] = Entry(const(name), item)
    return result


def _copy(_run: Interpreter, arguments: Arguments) -> Value:
    value = arguments.positional[0]
    assert isinstance(value, Instance)
    changes = arguments.keywords.get("update")
    names = dict(value.names)
    rest = value.rest
    if isinstance(changes, DictValue) and changes.exact:
        names.update({str(key): entry.value for key, entry in changes.entries.items()})
    elif changes is not None:
        rest = rest or first_unknown(changes) or reasons.unknown(reasons.UNSUPPORTED, "model_copy", arguments.place)
    return Instance(names, rest, value.cls, origin=Origin("model_copy", arguments.place))


def base_initialiser(cls: ClassValue, receiver: Value, name: str) -> Value:
    """What ``super().__init__`` reaches when no class of the program is left."""

    def call(run: Interpreter, arguments: Arguments) -> Value:
        if name == "__init__" and cls.kind in ("model", "dataclass") and isinstance(receiver, Instance):
            run.trail.touch(receiver)
            receiver.names.update(_field_values(run, cls, arguments))
        elif name == "__init__" and (arguments.positional or arguments.keywords) and cls.opaque is None:
            return NONE
        return NONE

    return Native(f"super().{name}", call)
