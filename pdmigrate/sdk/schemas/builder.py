"""Build real typing and pydantic objects from the specs of types."""

from __future__ import annotations

import typing
from collections.abc import Hashable, Iterable
from typing import Any

from pdmigrate.sdk.schemas import catalogue
from pdmigrate.sdk.schemas.shapes import (
    CLASS_SPECS,
    check_any,
    check_orders,
    check_waiting,
    mentioned,
    parts,
    shape,
)
from pdmigrate.sdk.schemas.spec_objects import build_call, build_value
from pdmigrate.sdk.schemas.specs import (
    AnnotatedSpec,
    CallValue,
    ClassSpec,
    LiteralSpec,
    NameSpec,
    RefSpec,
    SubscriptSpec,
    TypeVarSpec,
    UnionSpec,
    UnknownSpec,
    ValueSpec,
)
from pdmigrate.sdk.schemas.unsettled import NO_SUCH_CLASS, UnsettledError, refusing, unsettled


class Builder:
    """Builds the types of one request; each class once, by its key.

    ``mode`` is pydantic's: serializers matter only to ``serialization``.  Without ``finishing``, only the fields of the
    models can be read.

    Raises:
        UnsettledError: the specs have no unique schema.
    """

    def __init__(self, roots: Iterable[ValueSpec], mode: str = "validation", *, finishing: bool = True) -> None:
        found = tuple(parts(tuple(roots)))
        check_orders(found)
        _forget_typing()
        self.mode, self.finishing = mode, finishing
        self.specs: dict[str, ClassSpec] = {}
        for part in found:
            if isinstance(part, CLASS_SPECS):
                self.specs.setdefault(part.key, part)
        self.built: dict[str, Any] = {}
        self.building: set[str] = set()
        self.pending: list[Any] = []
        self._variables: dict[str, Any] = {}
        self._waiting: dict[Hashable, Any] = {}

    def type(self, spec: ValueSpec) -> Any:
        """The type that a spec describes.

        Raises:
            UnsettledError: a part of the spec is not known, or Python or pydantic refuses it.
        """
        if isinstance(spec, NameSpec):
            return catalogue.resolve(spec.name)
        if isinstance(spec, UnknownSpec):
            raise unsettled(spec)
        if isinstance(spec, CLASS_SPECS):
            return self._class(spec.key)
        if isinstance(spec, RefSpec):
            return self._class(spec.identity)
        if isinstance(spec, TypeVarSpec):
            return self._variable(spec)
        if isinstance(spec, CallValue):
            return build_call(self, spec)
        return self._form(spec)

    def _form(self, spec: ValueSpec) -> Any:
        if isinstance(spec, UnionSpec):
            check_waiting(spec, self.building)
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
        if self.building and isinstance(spec.base, (*CLASS_SPECS, RefSpec)) and mentioned(spec) & self.building:
            return self._later(spec)
        check_any(spec.base)
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
        from pdmigrate.sdk.schemas.classes import build_class

        self.building.add(key)
        try:
            self.built[key] = build_class(self, spec)
        finally:
            self.building.discard(key)
        return self.built[key]

    def _later(self, spec: SubscriptSpec | ClassSpec) -> Any:
        """A stand-in for a type that mentions a class still under construction; pydantic finds the type through it.

        A stand-in is opaque, so a type with a type variable, which has to be substituted, cannot have one.
        """
        if isinstance(spec, SubscriptSpec) and any(isinstance(part, TypeVarSpec) for part in parts(spec)):
            raise UnsettledError("a generic class refers to itself with its own parameter", NO_SUCH_CLASS)
        # One stand-in for each type, so that two references to the same class do not make a union.
        return self._waiting.setdefault(shape(spec), _stand_in(self, spec))

    def complete(self) -> None:
        """Finish the models that had to wait for a class, now that all classes exist."""
        for cls in self.pending:
            if not getattr(cls, "__pydantic_complete__", True):
                with refusing(f"{cls.__name__} is not a model"):
                    _rebuild(cls)


def _forget_typing() -> None:
    """Empty the caches of ``typing``, which treat ``List[Union[int, str]]`` and ``List[Union[str, int]]`` as one type.

    A type built for another model must not decide the order of ``anyOf`` in this one.
    """
    for forget in getattr(typing, "_cleanups", ()):
        forget()


def _rebuild(cls: Any) -> None:
    from pydantic.dataclasses import rebuild_dataclass

    if hasattr(cls, "model_rebuild"):
        cls.model_rebuild(force=True, _types_namespace={})
    else:
        rebuild_dataclass(cls, force=True, _types_namespace={})


def _stand_in(builder: Builder, spec: SubscriptSpec | ClassSpec) -> Any:
    from pydantic import PydanticUndefinedAnnotation

    def core_schema(cls: Any, source: Any, handler: Any) -> Any:  # noqa: ARG001 - the signature is pydantic's
        if mentioned(spec) & builder.building:
            raise PydanticUndefinedAnnotation(name=str(cls.__name__), message="still under construction")
        return handler.generate_schema(builder.type(spec))

    name = "Later" if isinstance(spec, SubscriptSpec) else spec.name
    return type(name, (), {"__get_pydantic_core_schema__": classmethod(core_schema)})
