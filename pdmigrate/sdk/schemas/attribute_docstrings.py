"""Strings below fields that serve as the fields' descriptions (``use_attribute_docstrings``)."""

from __future__ import annotations

from dataclasses import replace

from pdmigrate.sdk.schemas.specs import AnnotatedSpec, CallValue, FieldSpec, PlainValue, TypeSpec, ValueSpec

NOTHING = PlainValue(None)


def with_description(field: FieldSpec, text: str) -> FieldSpec:
    """``field`` with ``text`` as its description if it has none; ``description=None`` counts as none.

    The last description wins; the default's comes after those of the annotation.
    """
    if _has_description(field.default):
        return replace(field, default=_filled(field.default, text))
    if field.annotation is None:
        return field
    base, metadata = _flat(field.annotation)
    last = max((index for index, item in enumerate(metadata) if _has_description(item)), default=None)
    if last is None:
        metadata = (CallValue("pydantic.Field", (), (("description", PlainValue(text)),)), *metadata)
    else:
        metadata = (*metadata[:last], _filled(metadata[last], text), *metadata[last + 1 :])
    return replace(field, annotation=AnnotatedSpec(base, metadata))


def _has_description(value: ValueSpec | None) -> bool:
    return isinstance(value, CallValue) and _is_field(value) and any(name == "description" for name, _ in value.kwargs)


def _is_field(call: CallValue) -> bool:
    return call.callee.startswith("pydantic") and call.callee.endswith(".Field")


def _filled(value: ValueSpec | None, text: str) -> ValueSpec:
    """A call of ``Field`` in which ``text`` replaces a description that is ``None``."""
    assert isinstance(value, CallValue)
    given = (
        (name, PlainValue(text) if name == "description" and item == NOTHING else item) for name, item in value.kwargs
    )
    return replace(value, kwargs=tuple(given))


def _flat(annotation: TypeSpec) -> tuple[TypeSpec, tuple[ValueSpec, ...]]:
    """The type and all metadata of an annotation, with nested ``Annotated`` flattened."""
    if not isinstance(annotation, AnnotatedSpec):
        return annotation, ()
    base, metadata = _flat(annotation.base)
    return base, (*metadata, *annotation.metadata)
