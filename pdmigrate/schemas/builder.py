"""Types of specs as real typing and pydantic objects."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterable, Iterator
from typing import Any

from pdmigrate.schemas import catalogue
from pdmigrate.schemas.specs import (
    AnnotatedSpec,
    CallValue,
    ClassSpec,
    DataclassSpec,
    EnumSpec,
    InstanceValue,
    LiteralSpec,
    ModelSpec,
    NamedTupleSpec,
    NameSpec,
    NewTypeSpec,
    PlainClassSpec,
    RefSpec,
    SubscriptSpec,
    TypeAliasSpec,
    TypedDictSpec,
    TypeSpec,
    TypeVarSpec,
    UnionSpec,
    UnknownSpec,
    ValueSpec,
)
from pdmigrate.schemas.unsettled import NO_SUCH_CLASS, REFUSED, UnsettledError, at, refusing, unsettled
from pdmigrate.schemas.values import build_call, build_value

CLASS_SPECS = (
    ModelSpec,
    DataclassSpec,
    TypedDictSpec,
    NamedTupleSpec,
    EnumSpec,
    NewTypeSpec,
    TypeAliasSpec,
    PlainClassSpec,
)


ANY = NameSpec("typing.Any")


class Builder:
    """Builds the types of one request; every class once, by its key.

    ``mode`` is pydantic's: what serializers do matters only to ``serialization``.
    """

    def __init__(self, roots: Iterable[ValueSpec], mode: str = "validation") -> None:
        self.mode = mode
        self.specs: dict[str, ClassSpec] = {}
        for root in roots:
            for spec in class_specs(root):
                self.specs.setdefault(spec.key, spec)
        self.built: dict[str, Any] = {}
        self.building: set[str] = set()
        self.pending: list[Any] = []
        self.documented: set[Any] = set()
        self._variables: dict[str, Any] = {}

    def type(self, spec: ValueSpec) -> Any:
        """The type that a spec describes.

        Raises:
            UnsettledError: something in it is not known, or Python or pydantic does not take it.
        """
        if isinstance(spec, NameSpec):
            return catalogue.resolve(spec.name)
        if isinstance(spec, UnknownSpec):
            raise unsettled(spec)
        if isinstance(spec, CLASS_SPECS):
            return self._class(spec.key)
        if isinstance(spec, RefSpec):
            with at(site=spec.site):
                return self._class(spec.identity)
        if isinstance(spec, TypeVarSpec):
            return self._variable(spec)
        if isinstance(spec, CallValue):
            return build_call(self, spec)
        return self._form(spec)

    def _form(self, spec: ValueSpec) -> Any:
        if isinstance(spec, UnionSpec):
            options = tuple(self.type(option) for option in spec.options)
            with refusing("not a union"):
                return typing.Union[options]  # noqa: UP007 - made from values
        if isinstance(spec, LiteralSpec):
            values = tuple(build_value(self, value) for value in spec.values)
            with refusing("not a literal"):
                return typing.Literal[values]
        if isinstance(spec, AnnotatedSpec):
            base = self.type(spec.base)
            metadata = tuple(build_value(self, value) for value in spec.metadata)
            with refusing("not an annotation"):
                return typing.Annotated[(base, *metadata)] if metadata else base
        if isinstance(spec, SubscriptSpec):
            return self._subscript(spec)
        return build_value(self, spec)

    def _subscript(self, spec: SubscriptSpec) -> Any:
        if isinstance(spec.base, (ModelSpec, DataclassSpec, TypedDictSpec, NamedTupleSpec, TypeAliasSpec, RefSpec)):
            unfinished = {key for key in _keys(spec) if key in self.building}
            if unfinished:
                return self._later(spec)
        _check_unions(spec.base)
        base = self.type(spec.base)
        args = tuple(build_value(self, arg) for arg in spec.args)
        with refusing("not a generic type"):
            return base[args[0] if len(args) == 1 else args]

    def _variable(self, spec: TypeVarSpec) -> Any:
        from typing_extensions import TypeVar

        key = spec.identity or spec.name
        if key not in self._variables:
            constraints = [self.type(constraint) for constraint in spec.constraints]
            options: dict[str, Any] = {}
            if spec.bound is not None:
                options["bound"] = self.type(spec.bound)
            if spec.default is not None:
                options["default"] = self.type(spec.default)
            with refusing("not a type variable"):
                self._variables[key] = TypeVar(spec.name, *constraints, **options)
        return self._variables[key]

    # --- classes ------------------------------------------------------------------------------------------------------

    def _class(self, key: str) -> Any:
        if key in self.built:
            return self.built[key]
        spec = self.specs.get(key)
        if spec is None:
            raise UnsettledError(f"{key.replace(':', '.')} is not defined where it is referred to", NO_SUCH_CLASS)
        if key in self.building:
            return self._later(spec)
        from pdmigrate.schemas.classes import build_class

        self.building.add(key)
        try:
            with at(site=spec.site):
                self.built[key] = build_class(self, spec)
        finally:
            self.building.discard(key)
        return self.built[key]

    def _later(self, spec: SubscriptSpec | ClassSpec) -> Any:
        """A stand-in for a type that mentions a class still under construction; pydantic finds the type through it.

        A stand-in is opaque, so it cannot be one that a type variable has to be replaced in.
        """
        if isinstance(spec, SubscriptSpec) and any(isinstance(part, TypeVarSpec) for part in parts(spec)):
            raise UnsettledError("a generic class refers to itself with its own parameter", NO_SUCH_CLASS)
        return _stand_in(self, spec)

    def complete(self) -> None:
        """Finish the models that had to wait for a class which is there now."""
        for cls in self.pending:
            if not getattr(cls, "__pydantic_complete__", True):
                with refusing(f"{cls.__name__} is not a model"):
                    _rebuild(cls)


def _check_unions(base: TypeSpec) -> None:
    """Refuse generic models with a union of ``Any`` and more.

    Whether pydantic (2.12 and later) keeps such a union when it replaces type variables, or makes it ``Any``, depends
    on what is in typing's cache at that moment: measured, the same module has two schemas.
    """
    if isinstance(base, ModelSpec) and any(isinstance(part, UnionSpec) and ANY in part.options for part in parts(base)):
        raise UnsettledError("a union with Any in a generic model has no one schema in pydantic", REFUSED)


def _rebuild(cls: Any) -> None:
    from pydantic.dataclasses import rebuild_dataclass

    if hasattr(cls, "model_rebuild"):
        cls.model_rebuild(force=True, _types_namespace={})
    else:
        rebuild_dataclass(cls, force=True, _types_namespace={})


def _stand_in(builder: Builder, spec: SubscriptSpec | ClassSpec) -> Any:
    from pydantic import PydanticUndefinedAnnotation

    def core_schema(cls: Any, source: Any, handler: Any) -> Any:  # noqa: ARG001 - the signature is pydantic's
        if any(key in builder.building for key in _keys(spec)):
            raise PydanticUndefinedAnnotation(name=str(cls.__name__), message="still under construction")
        return handler.generate_schema(builder.type(spec))

    name = "Later" if isinstance(spec, SubscriptSpec) else spec.name
    return type(name, (), {"__get_pydantic_core_schema__": classmethod(core_schema)})


def parts(spec: Any, seen: set[int] | None = None) -> Iterator[Any]:
    """A spec and everything in it, depth first; a class that is nested in many places is walked once."""
    seen = set() if seen is None else seen
    if isinstance(spec, tuple):
        for item in spec:
            yield from parts(item, seen)
    elif dataclasses.is_dataclass(spec) and id(spec) not in seen:
        if isinstance(spec, CLASS_SPECS):
            seen.add(id(spec))
        yield spec
        for item in dataclasses.fields(spec):
            yield from parts(getattr(spec, item.name), seen)


def class_specs(spec: ValueSpec) -> Iterator[ClassSpec]:
    """The class specs in a spec, outermost first."""
    return (part for part in parts(spec) if isinstance(part, CLASS_SPECS))


def _keys(spec: Any) -> set[str]:
    """The classes that a type mentions itself, not through the bodies of those classes."""
    if isinstance(spec, CLASS_SPECS):
        return {spec.key}
    if isinstance(spec, RefSpec):
        return {spec.identity}
    if isinstance(spec, InstanceValue):
        return _keys(spec.cls)
    if not dataclasses.is_dataclass(spec):
        return set()
    found: set[str] = set()
    for item in dataclasses.fields(spec):
        value = getattr(spec, item.name)
        for part in value if isinstance(value, tuple) else (value,):
            found |= _keys(part)
    return found
