"""Convert the values of specs to real objects: defaults, arguments of ``Field``, metadata of ``Annotated``, settings.

Functions of the target become placeholders that refuse to be called.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, Protocol

from pdmigrate.sdk.schemas import catalogue, specs
from pdmigrate.sdk.schemas.members import SERIALIZERS, VALIDATORS
from pdmigrate.sdk.schemas.unsettled import DECIDED_BY_CODE, NO_SUCH_MEMBER, UnsettledError, at, refusing, unsettled


class Builder(Protocol):
    """What builds types of specs: ``builder.Builder``."""

    mode: str

    def type(self, spec: specs.ValueSpec) -> Any: ...


COLLECTIONS: Mapping[str, Callable[[list[Any]], Any]] = {kind.__name__: kind for kind in (list, tuple, set, frozenset)}

FACTORIES = (
    specs.PlainValue(None),
    *(specs.NameSpec(f"builtins.{name}") for name in ("bool", "dict", "float", "int", "list", "set", "str", "tuple")),
)
"""What a default is made by, if no function of the target makes it."""


def build_value(builder: Builder, spec: specs.ValueSpec) -> Any:
    """The object that a value spec describes.

    Raises UnsettledError if a part of the value is not known, or depends on code of the target.
    """
    if isinstance(spec, specs.PlainValue):
        return spec.value
    if isinstance(spec, specs.ItemsValue):
        items = [build_value(builder, item) for item in spec.items]
        if spec.kind in ("set", "frozenset"):
            _check_order(items)
        with refusing("not a collection"):
            return COLLECTIONS[spec.kind](items)
    if isinstance(spec, specs.MappingValue):
        with refusing("not a dict"):
            return {build_value(builder, key): build_value(builder, value) for key, value in spec.items}
    if isinstance(spec, specs.UnknownSpec):
        raise unsettled(spec)
    if isinstance(spec, specs.CodeValue):
        raise UnsettledError("a function of the program decides this", DECIDED_BY_CODE)
    if isinstance(spec, specs.MemberValue):
        return _member(builder, spec)
    if isinstance(spec, specs.CallValue):
        return build_call(builder, spec)
    return builder.type(spec)


def _check_order(items: list[Any]) -> None:
    """Refuse sets whose order may differ from run to run, or depend on how they were made."""
    if len(items) > 1:
        raise UnsettledError("in which order a set gives its elements is not settled")


def _member(builder: Builder, spec: specs.MemberValue) -> Any:
    members = getattr(builder.type(spec.enum), "__members__", {})
    if spec.name not in members:
        raise UnsettledError(f"the enum has no member {spec.name}", NO_SUCH_MEMBER)
    return members[spec.name]


def arguments(builder: Builder, pairs: specs.Arguments, kind: str = "") -> dict[str, Any]:
    """Keyword arguments of a callable named ``kind`` as a dict; the path of an unknown argument ends in its name."""
    built: dict[str, Any] = {}
    for name, value in pairs:
        with at(name):
            built[name] = _argument(builder, kind, name, value)
    return built


DECIDING = frozenset({"json_encoders", "schema_generator", "use_attribute_docstrings"})
"""Settings by which functions, or the source text, of the program decide the schema."""


def settings_of(builder: Builder, pairs: specs.Arguments | specs.UnknownSpec | None) -> dict[str, Any]:
    if isinstance(pairs, specs.UnknownSpec):
        raise unsettled(pairs)
    for name, _ in pairs or ():
        if name in DECIDING:
            raise UnsettledError(f"the setting {name} is not followed", DECIDED_BY_CODE)
    # ``defer_build`` changes only the moment at which building a model fails.
    kept = tuple(pair for pair in pairs or () if pair[0] != "defer_build")
    return arguments(builder, kept)


def build_call(builder: Builder, spec: specs.CallValue) -> Any:
    """The result of calling a library's callable."""
    callee = catalogue.resolve_call(spec.callee)
    kind = callee.__name__
    if kind in SERIALIZERS and builder.mode == "serialization":
        raise UnsettledError("a function of the program serializes this", DECIDED_BY_CODE)
    positional: list[Any] = []
    for index, value in enumerate(spec.args):
        with at(*(("default",) if kind == "Field" else ())):
            positional.append(_argument(builder, kind, index, value))
    named = arguments(builder, spec.kwargs, kind)
    with refusing(f"{spec.callee.removeprefix('builtins.')}()"):
        made = callee(*positional, **named)
    if isinstance(made, (set, frozenset)):
        _check_order(list(made))
    return made


def _argument(builder: Builder, kind: str, name: str | int, value: specs.ValueSpec) -> Any:
    """One argument; a function that no schema depends on is replaced by a placeholder."""
    if kind in VALIDATORS | SERIALIZERS and name in (0, "func"):
        return bare(never)
    if kind in {"Field", "field"} and name == "default_factory" and value not in FACTORIES:
        return bare(empty)
    return build_value(builder, value)


def bare(function: Callable[..., Any]) -> Any:
    """A copy of a function without annotations: pydantic reads annotations, and modifies the functions it is given."""
    return types.FunctionType(function.__code__, function.__globals__, function.__name__)


def never(value: Any) -> NoReturn:
    """Placeholder for a function of the target that takes one value."""
    raise RuntimeError(f"a function of the program would have to be called with {value!r}")


def empty() -> NoReturn:
    """Placeholder for a default factory of the target."""
    never(None)
