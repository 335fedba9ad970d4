"""Build real typing and pydantic objects from the specs of types, and the target's classes under their real names."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pdmigrate.sdk.schemas import catalogue, specs
from pdmigrate.sdk.schemas.members import check_class, check_method
from pdmigrate.sdk.schemas.shapes import CLASS_SPECS, check_orders, parts
from pdmigrate.sdk.schemas.spec_objects import arguments, bare, build_call, build_value, never, settings_of
from pdmigrate.sdk.schemas.unsettled import (
    DECIDED_BY_CODE,
    REFUSED,
    REFUSED_BY_SDK,
    UnsettledError,
    at,
    refusing,
    unsettled,
)


class Builder:
    """Builds the types of one request; each class once, by its key.

    ``mode`` is pydantic's: serializers matter only to ``serialization``.  Raises UnsettledError if the specs have no
    unique schema.
    """

    def __init__(self, roots: Iterable[specs.ValueSpec], mode: str = "validation") -> None:
        found = tuple(parts(tuple(roots)))
        check_orders(found)
        _forget_typing()
        self.mode = mode
        _check_modules({part.key: part for part in found if isinstance(part, CLASS_SPECS)}.values())
        self.built: dict[str, Any] = {}

    def type(self, spec: specs.ValueSpec) -> Any:
        """The type that a spec describes.

        Raises UnsettledError if a part of the spec is not known, or Python or pydantic refuses it.
        """
        if isinstance(spec, specs.NameSpec):
            return catalogue.resolve(spec.name)
        if isinstance(spec, specs.UnknownSpec):
            raise unsettled(spec)
        if isinstance(spec, CLASS_SPECS):
            return self._class(spec)
        if isinstance(spec, specs.CallValue):
            return build_call(self, spec)
        return self._form(spec)

    def _form(self, spec: specs.ValueSpec) -> Any:
        if isinstance(spec, specs.UnionSpec):
            options = tuple(self.type(option) for option in spec.options)
            with refusing("not a union"):
                return typing.Union[options]  # noqa: UP007 - made from values
        if isinstance(spec, specs.LiteralSpec):
            values = tuple(build_value(self, value) for value in spec.values)
            with refusing("not a literal"):
                return typing.Literal[values]
        if isinstance(spec, specs.AnnotatedSpec):
            base = self.type(spec.base)
            metadata = tuple(build_value(self, value) for value in spec.metadata)
            with refusing("not an annotation"):
                return typing.Annotated[(base, *metadata)] if metadata else base
        if isinstance(spec, specs.SubscriptSpec):
            base = self.type(spec.base)
            args = tuple(build_value(self, arg) for arg in spec.args)
            with refusing("not a generic type"):
                return base[args[0] if len(args) == 1 else args]
        return build_value(self, spec)

    def _class(self, spec: specs.ClassSpec) -> Any:
        if spec.key not in self.built:
            check_class(spec)
            known = isinstance(spec, specs.PlainClassSpec) or not any(
                isinstance(base, specs.PlainClassSpec) for base in spec.bases
            )
            if not known:
                raise UnsettledError(f"a base of {spec.name} is no model", DECIDED_BY_CODE)
            self.built[spec.key] = _MAKERS[type(spec)](self, spec)
        return self.built[spec.key]


def _check_modules(found: Iterable[specs.ClassSpec]) -> None:
    """Refuse classes of one name if the module of one is not known: pydantic puts it in the names of both."""
    named: dict[str, list[specs.ClassSpec]] = {}
    for spec in found:
        named.setdefault(spec.name, []).append(spec)
    for name, same in named.items():
        if len(same) > 1 and not all(spec.module for spec in same):
            raise UnsettledError(f"the modules of the classes {name} depend on how the program runs")


def _forget_typing() -> None:
    """Empty the caches of ``typing``, which treat ``List[Union[int, str]]`` and ``List[Union[str, int]]`` as one type.

    A type built for another model must not decide the order of ``anyOf`` in this one.
    """
    for forget in getattr(typing, "_cleanups", ()):
        forget()


CLASS_VARIABLES = frozenset({"typing.ClassVar", "typing_extensions.ClassVar"})


def _new(spec: specs.ClassSpec, bases: list[Any], keywords: Mapping[str, Any], body: Mapping[str, Any]) -> Any:
    """Create a class as the class statement does, but in the module that the spec names."""
    names: dict[str, Any] = {"__module__": spec.module or "unknown", "__qualname__": spec.qualname or spec.name}
    if spec.doc is not None:
        names["__doc__"] = spec.doc
    with refusing(f"{spec.name} is not a class"):
        return types.new_class(
            spec.name, tuple(bases), dict(keywords), lambda namespace: namespace.update(names, **body)
        )


def _model(builder: Builder, spec: specs.ModelSpec) -> Any:
    from pydantic import BaseModel

    bases = [*map(builder.type, spec.bases)]
    config = {**settings_of(builder, spec.config_class), **settings_of(builder, spec.config)}
    keywords = settings_of(builder, spec.keywords)
    body = _fields(builder, spec, spec.fields)
    for method in spec.methods:
        check_method(method, builder.mode)
        if not method.name.startswith("__") and not hasattr(BaseModel, method.name):
            body[method.name] = bare(never)
    if config:
        body["model_config"] = config
    return _new(spec, bases, keywords, body)


def _fields(builder: Builder, spec: specs.ClassSpec, fields: tuple[specs.FieldSpec, ...]) -> dict[str, Any]:
    """The namespace of a class body: its annotations, and the values of the fields that have one."""
    annotations: dict[str, Any] = {}
    body: dict[str, Any] = {"__annotations__": annotations}
    for field in fields:
        if _is_irrelevant_to_schema(spec, field):
            continue
        with at(*_place(field), site=field.site):
            if field.annotation is not None:
                hidden = _is_class_variable(field.annotation)
                annotations[field.name] = typing.ClassVar[typing.Any] if hidden else builder.type(field.annotation)
            if field.default is not None and not _is_class_variable(field.annotation):
                with at(*(() if isinstance(field.default, specs.CallValue) else ("default",))):
                    body[field.name] = build_value(builder, field.default)
    return body


def _place(field: specs.FieldSpec) -> tuple[str, str]:
    """The path of a field in the schema of its class: under its alias, if that is a plain string."""
    if isinstance(field.default, specs.CallValue):
        named = dict(field.default.kwargs)
        alias = named.get("validation_alias", named.get("alias"))
        if isinstance(alias, specs.PlainValue) and isinstance(alias.value, str):
            return "properties", alias.value
    return "properties", field.name


def _is_irrelevant_to_schema(spec: specs.ClassSpec, field: specs.FieldSpec) -> bool:
    """Whether a name in a class body does not affect the schema.

    Raises UnsettledError if the name has no annotation, and its value may be a validator.
    """
    if not isinstance(spec, specs.ModelSpec):
        return False
    if field.annotation is None and isinstance(field.default, specs.UnknownSpec):
        raise unsettled(field.default)
    if field.annotation is None and isinstance(field.default, specs.CallValue) and "valid" in field.default.callee:
        raise UnsettledError(f"{spec.name}.{field.name} may be a validator", site=field.site)
    return field.name.startswith("_") and field.name != "__pydantic_extra__"


def _is_class_variable(annotation: specs.TypeSpec | None) -> bool:
    base = annotation.base if isinstance(annotation, (specs.SubscriptSpec, specs.AnnotatedSpec)) else annotation
    return isinstance(base, specs.NameSpec) and base.name in CLASS_VARIABLES


def _dataclass(builder: Builder, spec: specs.DataclassSpec) -> Any:
    maker = catalogue.resolve(spec.maker)
    options = {name: value for name, value in spec.options if name not in {"repr", "eq", "order", "unsafe_hash"}}
    if "config" in options:
        raise UnsettledError("the settings of a dataclass are not followed", DECIDED_BY_CODE)
    keywords = arguments(builder, tuple(options.items()))
    for method in spec.methods:
        check_method(method, builder.mode)
    built = _new(spec, [*map(builder.type, spec.bases)], {}, _fields(builder, spec, spec.fields))
    with refusing(f"{spec.name} is not a dataclass"):
        return maker(**keywords)(built)


def _typed_dict(builder: Builder, spec: specs.TypedDictSpec) -> Any:
    from typing_extensions import TypedDict, is_typeddict

    if spec.refused:
        raise UnsettledError(f"before Python 3.12 pydantic refuses {spec.name}, a TypedDict of typing", REFUSED_BY_SDK)
    bases = [*map(builder.type, spec.bases)]
    body = _fields(builder, spec, spec.fields)
    keywords = {**arguments(builder, spec.keywords), "total": spec.total}
    bases = [base for base in bases if base is not typing.TypedDict and base is not TypedDict]
    if not any(is_typeddict(base) for base in bases):
        # typing_extensions' TypedDict: pydantic requires it on older Pythons, and makes the same schema of both.
        bases = [TypedDict, *bases]
    return _new(spec, bases, keywords, body)


def _enum(builder: Builder, spec: specs.EnumSpec) -> Any:
    body: dict[str, Any] = {}
    for name, value in spec.members:
        with at("enum"):
            body[name] = build_value(builder, value)
    return _new(spec, [*map(builder.type, spec.bases)], {}, body)


def _plain(builder: Builder, spec: specs.PlainClassSpec) -> Any:
    code = REFUSED if builder.mode == "validation" else DECIDED_BY_CODE
    raise UnsettledError(f"{spec.name} is a class of the program that pydantic does not know", code)


_MAKERS: Mapping[type[Any], Callable[[Builder, Any], Any]] = {
    specs.ModelSpec: _model,
    specs.DataclassSpec: _dataclass,
    specs.TypedDictSpec: _typed_dict,
    specs.EnumSpec: _enum,
    specs.PlainClassSpec: _plain,
}
"""What builds the class that a spec describes, by the kind of the spec."""
